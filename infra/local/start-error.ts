/** A reason why the stack can't start, for the person who started it. Printed without a stack trace. */
export class StartError extends Error {}
