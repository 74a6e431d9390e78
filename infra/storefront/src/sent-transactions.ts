/**
 * The transactions that were sent from this browser, until the API has settled them: a reload must not lose one. Where
 * the browser stores nothing, the page itself still has it.
 */
export const sentTransactions = {
  of: (orderId: string) => stored(() => localStorage.getItem(storageKey(orderId))) ?? undefined,
  keep: (orderId: string, hash: string) => stored(() => localStorage.setItem(storageKey(orderId), hash)),
  forget: (orderId: string) => stored(() => localStorage.removeItem(storageKey(orderId))),
};

const storageKey = (orderId: string) => `boxoffice.payment.${orderId}`;

/** @returns undefined where storing is not allowed, or there is no room */
function stored<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
