import { conflict } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { update, type Write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import type { Order } from '../order.ts';

/** The maximum number of open crypto orders of one user. For each of them, workers query the chain for hours. */
const maximumCryptoOrders = 5;

/**
 * Returns the maximum number of open orders of one user for one event; undefined when OPEN_ORDERS_PER_USER is not set.
 */
export function maximumOpenOrders(): number | undefined {
  const setting = optionalSetting('OPEN_ORDERS_PER_USER');
  return setting === undefined ? undefined : Number(setting);
}

/**
 * Returns the counters that count a new order while it is open: `event` counts the buyer's open orders for the event,
 * `crypto` their open crypto orders. Returns undefined for none. A free order is never open.
 */
export function openOrderCounters({ totalAmount, chainTerms }: Order): Order['countedOpen'] {
  if (totalAmount === 0n) return undefined;
  const counters = [
    ...(maximumOpenOrders() === undefined ? [] : ['event' as const]),
    ...(chainTerms ? ['crypto' as const] : []),
  ];
  return counters.length > 0 ? counters : undefined;
}

/**
 * Returns the write that counts an open crypto order; no write for other orders.
 * @throws DomainError 409 from the transaction, when the user has the maximum number of them
 */
export function countOpenCryptoOrder({ userId, countedOpen }: Order): Write[] {
  if (!countedOpen?.includes('crypto')) return [];
  const condition = {
    when: 'attribute_not_exists(#open) OR #open < :maximum',
    values: { maximum: maximumCryptoOrders },
    orThrow: tooManyOpenOrders,
  };
  return [update(keys.openCrypto(userId), { add: { open: 1 } }, condition)];
}

/** Returns the write that removes a crypto order from the count; no write for orders that were not counted. */
export function uncountOpenCryptoOrder({ userId, countedOpen }: Order): Write[] {
  return countedOpen?.includes('crypto') ? [update(keys.openCrypto(userId), { add: { open: -1 } })] : [];
}

function tooManyOpenOrders() {
  return conflict('too-many-open-orders', 'Pay or cancel your other orders first');
}
