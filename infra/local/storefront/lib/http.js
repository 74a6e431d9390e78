/** A refusal in the API's own sentence, with its code for programs; status 0 when nothing answered. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {string | null} code
   */
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Sends a request; an object goes as JSON.
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, headers?: Record<string, string> }} [content]
 * @returns {Promise<Response>} of a success
 * @throws {ApiError} for everything else
 */
export async function send(method, path, { body, headers } = {}) {
  const response = await fetch(path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new ApiError("The service can't be reached. Please try again.", 0, null);
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new ApiError(
    error ?? 'The service has a problem. Please try again.',
    response.status,
    response.headers.get('x-error-code'),
  );
}
