/**
 * The hash of the transaction that was sent for an order in this browser. It is stored until the API has settled or
 * refused the transaction, so that a reload does not lose it. When storing fails, only the open page has the hash.
 */
export const sentTransactions = {
  find: (orderId: string) => tryStorage(() => localStorage.getItem(storageKey(orderId))) ?? undefined,
  store: (orderId: string, hash: string) => tryStorage(() => localStorage.setItem(storageKey(orderId), hash)),
  remove: (orderId: string) => tryStorage(() => localStorage.removeItem(storageKey(orderId))),
};

const storageKey = (orderId: string) => `boxoffice.payment.${orderId}`;

/** Returns undefined when the browser allows no storage, or its storage is full. */
function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
