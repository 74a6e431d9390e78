import type { Order } from '../../orders/order.ts';
import { findOrders } from '../../orders/store.ts';
import type { Message, Messages } from '../../runtime/messages.ts';
import { log } from '../../runtime/telemetry.ts';
import { burnTickets, finalizeBurn } from '../burning/burn-tickets.ts';
import { finalizeNotice, sendNotices } from '../locking/lock-tickets.ts';
import { checkNonce, type Finalize, readNonces } from '../nonce/check-nonce.ts';
import { isBoundToNonce, nonceName } from '../nonce/store.ts';
import { finalizeMint, skipFulfilment } from './finalize-mint.ts';
import { mintOrders, reportBalances } from './mint-orders.ts';
import { filterUnblocked, groupIntoBatches, isReadyForNonce, readMintRequests } from './mint-requests.ts';

type OrderMessage = Message<'mint-order'>;
type BurnMessage = Message<'burn'>;
type BalancesMessage = Message<'report-balances'>;
type NonceMessage = Message<'check-nonce'>;
type NoticeMessage = Message<'lock'> | Message<'refresh-metadata'>;

/**
 * Handles a batch of messages by kind: mints orders, burns and locks tickets, announces metadata, reports
 * balances, and checks nonces. An unreachable chain is not an
 * error: the sweep queues the work again.
 * @returns the indexes of the messages to deliver again, because the table or the queue failed
 */
export async function mintTickets(messages: readonly Messages['mint-tickets'][]): Promise<number[]> {
  const orders = messages.filter((message) => message.type === 'mint-order');
  const burns = messages.filter((message) => message.type === 'burn');
  const balances = messages.filter((message) => message.type === 'report-balances');
  const nonces = messages.filter((message) => message.type === 'check-nonce');
  const notices = messages.filter(
    (message) => message.type === 'lock' || message.type === 'refresh-metadata',
  );
  const failedByKind = await Promise.all([
    handleOrders(orders, new Set(nonces.map(nonceName))).catch((error) => logFailure(orders, error)),
    handleBurns(burns),
    handleBalances(balances),
    handleNotices(notices),
    handleNonces(nonces).catch((error) => logFailure(nonces, error)),
  ]);
  const failedMessages = new Set<Messages['mint-tickets']>(failedByKind.flat());
  return messages.flatMap((message, index) => (failedMessages.has(message) ? [index] : []));
}

/**
 * Mints orders, as many as possible in one transaction. A message of the sweep or a repeated delivery may name an order
 * that is already bound to a nonce. That nonce is checked, unless another message of the batch checks it.
 * @returns the messages that failed
 */
async function handleOrders(
  messages: readonly OrderMessage[],
  checkedNonces: ReadonlySet<string>,
): Promise<OrderMessage[]> {
  const orders = await findOrders([...new Set(messages.map(({ orderId }) => orderId))]);
  const messagesOf = (ordersOfMessages: readonly Order[]) =>
    messages.filter(({ orderId }) => ordersOfMessages.some(({ id }) => id === orderId));
  // An order may have been refunded after a worker was killed that had claimed its nonce.
  const mintingOrders = orders.filter(
    ({ fulfilmentStatus, mint }) =>
      ['minting', 'refund-due'].includes(fulfilmentStatus) && mint && !checkedNonces.has(nonceName(mint)),
  );
  const [requests, nonces] = await Promise.all([
    readMintRequests(await filterUnblocked(orders.filter(isReadyForNonce))),
    readNonces(mintingOrders.flatMap(({ mint }) => mint ?? [])),
  ]);
  const failedMessages = await Promise.all([
    ...groupIntoBatches(requests.flatMap(({ request }) => request ?? [])).map((batch) =>
      failedMessagesOf(messagesOf(batch.map(({ order }) => order)), mintOrders(batch)),
    ),
    // An order without a request can't be minted.
    ...requests
      .filter(({ request }) => request === undefined)
      .map(({ order }) => failedMessagesOf(messagesOf([order]), skipFulfilment(order))),
    // Rescheduled only for a refunded order, which the sweep does not queue again: the checks of a nonce are scheduled
    // since its claim.
    ...nonces.map((nonce) =>
      failedMessagesOf(
        messagesOf(mintingOrders.filter((order) => isBoundToNonce(order, nonce.transaction))),
        checkNonce(nonce, finalizeMint, {
          reschedule: nonce.orders.every(({ fulfilmentStatus }) => fulfilmentStatus !== 'minting'),
        }),
      ),
    ),
  ]);
  return failedMessages.flat();
}

/** How long a batch goes on to begin burns, in milliseconds. The sweep finds the others. */
const burnMilliseconds = 20_000;

/**
 * Burns the tickets of refunded or reissued orders, one after the other: a cancelled event has thousands of burns, which would
 * compete with each other and with all mints for the account's next nonce.
 * @returns the messages that failed
 */
async function handleBurns(messages: readonly BurnMessage[]): Promise<BurnMessage[]> {
  const deadline = Date.now() + burnMilliseconds;
  const failedMessages: BurnMessage[] = [];
  for (const [id, messagesOfBurn] of Map.groupBy(messages, ({ burnOrderId }) => burnOrderId)) {
    if (Date.now() > deadline) break;
    failedMessages.push(...(await failedMessagesOf(messagesOfBurn, burnTickets(id))));
  }
  return failedMessages;
}

/** Reports the balances of the minting accounts on each chain. @returns the messages that failed */
async function handleBalances(messages: readonly BalancesMessage[]): Promise<BalancesMessage[]> {
  const failedMessages = await Promise.all(
    messages.map((message) => failedMessagesOf([message], reportBalances(message.chainId))),
  );
  return failedMessages.flat();
}

/** Locks tickets and announces metadata, for each contract together. @returns the messages that failed */
async function handleNotices(messages: readonly NoticeMessage[]): Promise<NoticeMessage[]> {
  const byContract = Map.groupBy(messages, ({ chainId, contract }) => `${chainId} ${contract}`);
  const failedMessages = await Promise.all(
    [...byContract.values()].map((ofContract) => failedMessagesOf(ofContract, sendNotices(ofContract))),
  );
  return failedMessages.flat();
}

/** Checks nonces. @returns the messages that failed */
async function handleNonces(messages: readonly NonceMessage[]): Promise<NonceMessage[]> {
  const byNonce = Map.groupBy(messages, nonceName);
  const failedMessages = await Promise.all(
    (await readNonces(messages)).map((nonce) =>
      failedMessagesOf(
        byNonce.get(nonceName(nonce.transaction)) ?? [],
        checkNonce(nonce, finalize, { reschedule: true }),
      ),
    ),
  );
  return failedMessages.flat();
}

const finalize: Finalize = (nonce, outcome) => {
  if (nonce.transaction.isNotice) return finalizeNotice(nonce, outcome);
  return nonce.transaction.burnOf === undefined ? finalizeMint(nonce, outcome) : finalizeBurn(nonce, outcome);
};

/**
 * Waits for the work of the messages.
 * @returns the messages to deliver again: all when the work fails, otherwise none
 */
function failedMessagesOf<Kind extends Messages['mint-tickets']>(
  messages: readonly Kind[],
  work: Promise<void>,
): Promise<Kind[]> {
  return work.then(
    () => [],
    (error) => logFailure(messages, error),
  );
}

/** Logs the failure of each message. @returns the messages */
function logFailure<Kind extends Messages['mint-tickets']>(
  messages: readonly Kind[],
  error: unknown,
): Kind[] {
  for (const message of messages) log.error('Mint message failed', error, message);
  return [...messages];
}
