import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import type { Messages } from '../../runtime/queue.ts';
import { burnTickets } from '../burning/burn-tickets.ts';
import { boundTo, findBurns } from '../burning/store.ts';
import { checkTransaction } from '../nonce/check.ts';
import { findMintTransactions } from '../nonce/store.ts';
import { type MintTransaction, type NonceReference, nonceName } from '../nonce/transaction.ts';
import { mintOrders } from './mint-orders.ts';
import { skipFulfilment } from './record-mint.ts';
import { batches, findOrders, isMintable, readRequests } from './requests.ts';

/**
 * Works on one batch of messages: orders to be minted go out together where they can, and nonces are checked.
 * Trouble with a chain is no failure, since orders and nonces wait and are looked at again.
 * @returns the messages, by their place, that are to be delivered again because the table or the queue failed
 */
export async function mintTickets(messages: readonly Messages['mint'][]): Promise<number[]> {
  const toCheck = messages.flatMap((message) => ('nonce' in message ? [message] : []));
  const named = messages.flatMap((message) => ('orderId' in message ? [message.orderId] : []));
  // The same message may come twice in one batch.
  const orders = await findOrders([...new Set(named)]);
  const minting = orders.filter(({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
  const burns = await findBurns(
    messages.flatMap((message) => ('burnOrderId' in message ? [message.burnOrderId] : [])),
  );
  const bound = [
    ...minting.flatMap(({ mint }) => mint ?? []),
    ...burns.flatMap((burn) => boundTo(burn) ?? []),
  ];
  const [requests, checks] = await Promise.all([
    readRequests(orders.filter(isMintable)),
    readChecks([...toCheck, ...bound]),
  ]);

  const work = new Map<string, Promise<void> | undefined>();
  for (const { order, request } of requests) {
    if (!request) work.set(order.id, skipFulfilment(order));
  }
  for (const batch of batches(requests.flatMap(({ request }) => request ?? []))) {
    const done = mintOrders(batch);
    for (const { order } of batch) work.set(order.id, done);
  }
  const goOn = new Set(toCheck.map(nonceName));
  for (const { transaction, orders } of checks) {
    const name = nonceName(transaction);
    // A nonce found by way of an order, after a crash or by the sweep, is being looked after by its own messages.
    work.set(name, checkTransaction(transaction, orders, goOn.has(name)));
  }
  for (const { id, mint } of minting) work.set(id, mint && work.get(nonceName(mint)));
  for (const burn of burns) {
    const reference = boundTo(burn);
    work.set(`burn ${burn.orderId}`, reference ? work.get(nonceName(reference)) : burnTickets(burn.orderId));
  }

  const results = await Promise.allSettled(messages.map((message) => work.get(workName(message))));
  return results.flatMap((result, place) => {
    if (result.status === 'fulfilled') return [];
    log.error('Mint message failed', result.reason, messages[place]);
    return [place];
  });
}

function workName(message: Messages['mint']): string {
  if ('orderId' in message) return message.orderId;
  return 'burnOrderId' in message ? `burn ${message.burnOrderId}` : nonceName(message);
}

/** Each nonce once, with its orders. */
async function readChecks(
  references: readonly NonceReference[],
): Promise<{ transaction: MintTransaction; orders: Order[] }[]> {
  const unique = [...new Map(references.map((reference) => [nonceName(reference), reference])).values()];
  const transactions = (await findMintTransactions(unique)).filter((found) => found !== undefined);
  const orders = await findOrders(transactions.flatMap(({ orderIds }) => orderIds));
  const byId = new Map(orders.map((order) => [order.id, order]));
  return transactions.map((transaction) => ({
    transaction,
    orders: transaction.orderIds.flatMap((id) => byId.get(id) ?? []),
  }));
}
