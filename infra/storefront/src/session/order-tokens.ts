/**
 * The access tokens of orders that were bought without an account, in this browser's storage. They come with the order,
 * and in the fragment of the links in its mails, which no server gets.
 */

const prefix = 'boxoffice.order.';

export function rememberOrder(id: string, token: string): void {
  localStorage.setItem(prefix + id, token);
}

export function forgetOrder(id: string): void {
  localStorage.removeItem(prefix + id);
}

export function findOrderToken(id: string): string | undefined {
  return localStorage.getItem(prefix + id) ?? undefined;
}

/** Returns the ids of the orders without an account that this browser has opened. */
export function guestOrderIds(): string[] {
  return Object.keys(localStorage).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  );
}

/** Forgets all orders, once an account has them. */
export function forgetOrders(): void {
  for (const id of guestOrderIds()) forgetOrder(id);
}

/** Returns the id of the order that a request is about; undefined for other requests. */
export function orderIdOf(input: RequestInfo | URL): string | undefined {
  const url = input instanceof Request ? input.url : String(input);
  return /\/api\/orders\/(\w{25})(?:[/?]|$)/.exec(url)?.[1];
}

/** Stores the token of a mail's link to an order, and removes it from the address, and so from the browser's history. */
export function openOrderLink(id: string): void {
  const token = /^#([\w-]{27})$/.exec(location.hash)?.[1];
  if (!token) return;
  rememberOrder(id, token);
  history.replaceState(history.state, '', location.pathname + location.search);
}
