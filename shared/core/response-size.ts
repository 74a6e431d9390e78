/** Below Lambda's limit of 6 MB for a response. */
export const maximumResponseBytes = 5_000_000;

/** Returns about how many bytes a value takes in a response, in which quotes are escaped twice. */
export const responseBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
