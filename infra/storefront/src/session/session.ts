import { logout, refreshToken } from 'boxoffice-client';

/**
 * The session of the signed-in user. The access token is only in the page's memory; the refresh token is in a cookie
 * that scripts can't read. Local storage only records that a session exists, so that the page of a visitor who never
 * signed in requests no new access token.
 */

const storageKey = 'boxoffice.signed-in';

let accessToken: string | undefined;
let pendingRenewal: Promise<boolean> | undefined;

/** No answer arrived. The API may have carried out the request, or not. */
export class Unreachable extends Error {}

/**
 * Sends a request to the API with the access token, and again with a new token when that one has expired. When the
 * session has ended, opens the sign-in page. Set as the client's `defaults.fetch`.
 * @throws Unreachable
 */
export async function fetchAsUser(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = accessToken;
  const response = await send(input, withAccessToken(init));
  // A 401 with another error code is about the request, such as a wrong password or wallet signature.
  const hasExpired = response.status === 401 && response.headers.get('x-error-code') === 'invalid-token';
  if (!hasExpired || !token) return response;
  if (await renewSession()) return send(input, withAccessToken(init));
  location.assign(loginPath());
  // The browser is leaving the page, so the promise stays pending.
  return new Promise(() => {});
}

/** Returns the path of the sign-in page, which leads back to the current page. */
export function loginPath(): string {
  return `/login?${new URLSearchParams({ next: location.pathname + location.search })}`;
}

/** Sets the access token, and records that there is a session. */
export function beginSession(token: string): void {
  accessToken = token;
  localStorage.setItem(storageKey, 'yes');
}

/** Resumes the session of an earlier page. @returns whether there is a session. @throws Unreachable, Error */
export async function resumeSession(): Promise<boolean> {
  return localStorage.getItem(storageKey) !== null && renewSession();
}

/** Ends the session in the API, then in this browser. */
export async function endSession(): Promise<void> {
  const { status } = await logout({}, { fetch: send });
  if (status !== 200) throw new Error(`Signing out: ${status}`);
  clearSession();
}

/** Requests a new access token with the refresh cookie. Concurrent calls share one request. */
function renewSession(): Promise<boolean> {
  pendingRenewal ??= renew().finally(() => {
    pendingRenewal = undefined;
  });
  return pendingRenewal;
}

async function renew(): Promise<boolean> {
  // It is a POST for the cookie's sake, and changes nothing.
  const answer = await refreshToken({ fetch: (input, init) => sendUpTo(maximumAttempts, input, init) });
  if (answer.status === 200) {
    beginSession(answer.data.token);
    return true;
  }
  // Only a 401 means that the session has ended. Other errors may be temporary.
  if (answer.status !== 401) throw new Error(`Renewing the session: ${answer.status}`);
  clearSession();
  return false;
}

function clearSession(): void {
  accessToken = undefined;
  localStorage.removeItem(storageKey);
}

/** How often a request that changes nothing is sent while the service does not answer it. */
const maximumAttempts = 3;

/**
 * Sends a request without the access token. A read is repeated after a pause of about half a second, then one second,
 * while no answer arrives, or one of API Gateway in place of the service's own.
 * @throws Unreachable
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const attempts = (init?.method ?? 'GET') === 'GET' ? maximumAttempts : 1;
  return sendUpTo(attempts, input, init);
}

async function sendUpTo(
  attempts: number,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  pause = 500,
): Promise<Response> {
  const result = await fetch(input, init).catch((cause) => new Unreachable('No answer', { cause }));
  const isAnswered = result instanceof Response && !isFromGateway(result);
  if (!isAnswered && attempts > 1) {
    // Visitors whose requests failed at the same moment must not return at the same moment.
    await new Promise((resume) => setTimeout(resume, pause * (0.5 + Math.random())));
    return sendUpTo(attempts - 1, input, init, 2 * pause);
  }
  if (result instanceof Unreachable) throw result;
  return result;
}

/** API Gateway answers by itself for a function that is throttled, crashes or takes too long. */
function isFromGateway({ status, headers }: Response): boolean {
  return [502, 503, 504].includes(status) && !headers.has('x-error-code');
}

function withAccessToken(init?: RequestInit): RequestInit {
  const headers = new Headers(init?.headers);
  if (accessToken) headers.set('authorization', `Bearer ${accessToken}`);
  return { ...init, headers };
}
