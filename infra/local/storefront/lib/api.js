import { ApiError, send } from './http.js';
import { accessToken, renewSession } from './session.js';

/** Calls the API as whoever is signed in. An access token that has expired is renewed, and the call made again. */

/** @param {string} path */
export const get = (path) => json('GET', path);
/** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] */
export const post = (path, body, headers) => json('POST', path, { body, headers });
/** @param {string} path @param {object} body */
export const patch = (path, body) => json('PATCH', path, { body });

/** A file, such as the orders as CSV. @param {string} path @param {string} type */
export const download = async (path, type) => (await call('GET', path, { headers: { accept: type } })).blob();

/** @param {Parameters<typeof call>} request */
async function json(...request) {
  return (await call(...request)).json();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, headers?: Record<string, string> }} [content]
 */
async function call(method, path, content = {}) {
  const attempt = () => send(method, path, { ...content, headers: { ...content.headers, ...bearer() } });
  try {
    return await attempt();
  } catch (error) {
    const hasExpired = error instanceof ApiError && error.status === 401 && accessToken();
    if (!hasExpired || !(await renewSession())) throw error;
    return attempt();
  }
}

function bearer() {
  const token = accessToken();
  return token ? { authorization: `Bearer ${token}` } : {};
}
