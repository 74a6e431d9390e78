import { logout, refreshToken } from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { findOrderToken, forgetOrder, orderIdOf } from './order-tokens.ts';

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

type Confirm = (methods: string[]) => Promise<boolean>;
let confirmSession: Confirm = async () => false;

/** Sets how the visitor confirms the session. `confirm` returns whether they did. */
export function setConfirmation(confirm: Confirm): void {
  confirmSession = confirm;
}

/**
 * Sends a request as `fetchWithSession`, and again when the visitor has confirmed the session, for a request that needs it.
 * Set as the client's `defaults.fetch`.
 */
export async function fetchAsUser(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchWithSession(input, init);
  const isRefused = response.headers.get('x-error-code') === 'confirmation-required';
  if (!isRefused) return response;
  const methods = response.headers.get('x-confirm-with')?.split(',') ?? ['password'];
  return (await confirmSession(methods)) ? fetchAsUser(input, init) : response;
}

/**
 * Sends a request to the API with the access token, and again with a new token when that one has expired. When the
 * session has ended, opens the sign-in page. A request about an order that was bought without an account has the access
 * token of the order.
 * @throws Unreachable when no answer arrives; Error when the session can't be renewed, for a reason other than a 401
 */
export async function fetchWithSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const orderId = orderIdOf(input);
  const orderToken = orderId && findOrderToken(orderId);
  if (orderToken) {
    const guestResponse = await send(input, withAuthorization(`Order ${orderToken}`, init));
    if (guestResponse.status !== 401) return guestResponse;
    // The order is in an account now.
    forgetOrder(orderId);
  }
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

/**
 * Resumes the session of an earlier page.
 * @returns whether there is a session
 * @throws Unreachable when no answer arrives; Error when the API answers with an error other than 401
 */
export async function resumeSession(): Promise<boolean> {
  return localStorage.getItem(storageKey) !== null && renewSession();
}

/**
 * Ends the session in the API, then in this browser.
 * @throws Unreachable when no answer arrives; Error when the API answers with an error
 */
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
  // `send` does not retry a POST, but this one changes nothing in the API, so it may be sent again.
  const answer = await refreshToken({
    fetch: (input, init) => sendWithRetries(maximumAttempts, input, init),
  });
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

/** The maximum number of times that a request is sent when it changes nothing and the service does not answer. */
const maximumAttempts = 3;

/**
 * Sends a request without adding the access token. When the service does not answer a GET, sends it again after about
 * half a second, then after about one second.
 * @throws Unreachable when no answer arrives
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const attempts = (init?.method ?? 'GET') === 'GET' ? maximumAttempts : 1;
  return sendWithRetries(attempts, input, init);
}

async function sendWithRetries(
  attempts: number,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  delay = 500,
): Promise<Response> {
  const result = await fetch(input, init).catch((cause) => new Unreachable('No answer', { cause }));
  const isAnswered = result instanceof Response && !isApiGatewayError(result);
  if (!isAnswered && attempts > 1) {
    // A random delay spreads the retries of visitors whose requests failed at the same time.
    await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())));
    return sendWithRetries(attempts - 1, input, init, 2 * delay);
  }
  if (result instanceof Unreachable) throw result;
  return result;
}

/** Returns whether API Gateway answered instead of the service, whose function was throttled, crashed or timed out. */
function isApiGatewayError({ status, headers }: Response): boolean {
  return [502, 503, 504].includes(status) && !headers.has('x-error-code');
}

function withAccessToken(init?: RequestInit): RequestInit {
  return withAuthorization(accessToken && `Bearer ${accessToken}`, init);
}

function withAuthorization(authorization: string | undefined, init?: RequestInit): RequestInit {
  const headers = new Headers(init?.headers);
  if (authorization) headers.set('authorization', authorization);
  return { ...init, headers };
}

/**
 * Returns the token of a mail's link; empty without one. Removes the token from the page's address, and so from the
 * browser's history.
 */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}
