/** What keeps the stack from starting, in one sentence that a person can act on. Shown without a stack trace. */
export class StartError extends Error {}
