/** An error that prevents the start of the stack. Its message is printed without a stack trace. */
export class StartError extends Error {}
