import { ApiError, send } from './http.js';

/**
 * Who is signed in. The access token is kept in memory alone, where it ends with the page; the refresh token is
 * in a cookie that scripts can't read. What is stored is only that there was a session, so that visitors who
 * never signed in are not asked about.
 */

const mark = 'boxoffice.signed-in';

/** @type {string | null} */
let token = null;
/** @type {Promise<boolean> | undefined} */
let renewal;

/** The access token; null for a visitor. */
export function accessToken() {
  return token;
}

/** @param {string} newToken as signing in or registering answered */
export function beginSession(newToken) {
  token = newToken;
  localStorage.setItem(mark, 'yes');
}

/** Takes up the session of an earlier page. @returns {Promise<boolean>} whether there is one */
export async function resumeSession() {
  return localStorage.getItem(mark) !== null && renewSession();
}

/**
 * Gets a new access token by the refresh cookie. Calls at the same time share one request.
 * @returns {Promise<boolean>} false when the session is over
 */
export function renewSession() {
  renewal ??= renew().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renew() {
  try {
    const response = await send('POST', '/api/auth/refresh-token');
    beginSession((await response.json()).token);
    return true;
  } catch (error) {
    // Only this answer means that the session is over; trouble with the service or the network does not.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    forget();
    return false;
  }
}

export async function endSession() {
  await send('POST', '/api/auth/logout');
  forget();
}

function forget() {
  token = null;
  localStorage.removeItem(mark);
}
