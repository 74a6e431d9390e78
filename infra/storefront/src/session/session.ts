import { logout, refreshToken } from 'boxoffice-client';

/**
 * Who is signed in. The access token is kept in memory alone, where it ends with the page; the refresh token is in a
 * cookie that scripts can't read. What is stored is only that there was a session, so that no request is made for
 * visitors who never signed in.
 */

const mark = 'boxoffice.signed-in';

let accessToken: string | undefined;
let renewal: Promise<boolean> | undefined;

/** No answer arrived: the request may have been carried out, or not. */
export class Unreachable extends Error {}

/**
 * Sends the API's requests: with the access token, which is renewed once when it has expired. When the session is
 * over, the visitor signs in again and comes back. The client's `defaults.fetch`.
 * @throws Unreachable
 */
export async function fetchAsUser(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = accessToken;
  const response = await send(input, authorized(init));
  // Other refusals with 401 are about the request: a wrong password, a wallet's signature.
  const hasExpired = response.status === 401 && response.headers.get('x-error-code') === 'invalid-token';
  if (!hasExpired || !token) return response;
  if (await renewSession()) return send(input, authorized(init));
  location.assign(loginPath());
  // The page is being left: nothing more happens on it.
  return new Promise(() => {});
}

/** The sign-in page, which leads back to the present one. */
export function loginPath(): string {
  return `/login?${new URLSearchParams({ next: location.pathname + location.search })}`;
}

/** @param token as signing in or registering answered */
export function beginSession(token: string): void {
  accessToken = token;
  localStorage.setItem(mark, 'yes');
}

/** Takes up the session of an earlier page. @returns whether there is one. @throws Unreachable, Error */
export async function resumeSession(): Promise<boolean> {
  return localStorage.getItem(mark) !== null && renewSession();
}

/** Ends the session on the service, then here. */
export async function endSession(): Promise<void> {
  const { status } = await logout({}, { fetch: send });
  if (status !== 200) throw new Error(`Signing out: ${status}`);
  forget();
}

/** Gets a new access token by the refresh cookie. Calls at the same time share one request. */
function renewSession(): Promise<boolean> {
  renewal ??= renew().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renew(): Promise<boolean> {
  const answer = await refreshToken({ fetch: send });
  if (answer.status === 200) {
    beginSession(answer.data.token);
    return true;
  }
  // Only this answer means that the session is over; trouble with the service or the network does not.
  if (answer.status !== 401) throw new Error(`Renewing the session: ${answer.status}`);
  forget();
  return false;
}

function forget(): void {
  accessToken = undefined;
  localStorage.removeItem(mark);
}

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (cause) {
    throw new Unreachable('No answer', { cause });
  }
}

function authorized(init?: RequestInit): RequestInit {
  const headers = new Headers(init?.headers);
  if (accessToken) headers.set('authorization', `Bearer ${accessToken}`);
  return { ...init, headers };
}
