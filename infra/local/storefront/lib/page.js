import { get } from './api.js';
import { showHeader } from './header.js';
import { ApiError } from './http.js';
import { accessToken, resumeSession } from './session.js';

/**
 * @typedef {object} User
 * @property {string} id
 * @property {string} email
 * @property {string} name
 * @property {string} role
 * @property {string | null} walletAddress
 */

/**
 * What every page does: take up the session, show the header, fill the page, and say so when that fails.
 * @param {(user: User | undefined) => unknown} fill
 */
export async function page(fill) {
  const main = document.querySelector('main');
  try {
    const user = (await resumeSession()) ? (await get('/api/auth/me')).user : undefined;
    showHeader(user);
    await fill(user);
  } catch (error) {
    report(error, main);
  } finally {
    main.removeAttribute('aria-busy');
  }
}

/**
 * A page for people who are signed in; others sign in first, and come back.
 * @param {(user: User) => unknown} fill
 */
export function privatePage(fill) {
  return page((user) => (user ? fill(user) : toSignIn()));
}

// The Back button may bring a page as it was left: in the middle of a purchase, or before signing out.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

/** Signs in, then goes on where the visitor is now. */
export function toSignIn() {
  location.assign(`/login?${new URLSearchParams({ next: location.pathname + location.search })}`);
  // The page is being left: nothing more should happen on it.
  return new Promise(() => {});
}

/**
 * Says what went wrong, in the API's sentence, at the end of an element. A session that is over leads to signing in.
 * @param {unknown} error @param {Element} place
 */
export function report(error, place) {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401 && !accessToken() && location.pathname !== '/login') return void toSignIn();
  let alert = place.querySelector(':scope > [role=alert]');
  if (!alert) {
    alert = document.createElement('p');
    alert.setAttribute('role', 'alert');
    place.append(alert);
  }
  alert.textContent = error.message;
}

/** The last part of the address: the id in /orders/{id}. */
export function idInPath() {
  return location.pathname.split('/').at(-1);
}
