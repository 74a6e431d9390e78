import { beginSession } from './session.js';

/** Where somebody who has to sign in was going: the `next` of the address. */

/** Hands the destination on to another page. @param {Element | null} link */
export function keepDestination(link) {
  /** @type {HTMLAnchorElement} */ (link).search = location.search;
}

/**
 * Signed in: goes on to the destination. Only pages of this shop count, since anybody may have made the address.
 * @param {string} token the access token
 */
export function goOn(token) {
  beginSession(token);
  const next = new URL(new URLSearchParams(location.search).get('next') ?? '/', location.origin);
  location.assign(next.origin === location.origin ? next : '/');
  return new Promise(() => {});
}
