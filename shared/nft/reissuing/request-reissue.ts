import { toAuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { type Actor, admin, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { prepareAnnouncement } from '../../accounts/factors/announce.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { managerOf } from '../../catalog/staff/entitlements.ts';
import { ChainUnreachable, connect, readFromAnyNode } from '../../chain/connection.ts';
import { isTicketContract } from '../../chain/contract-calls.ts';
import { readOwner } from '../../chain/token-owner.ts';
import { conflict, notFound, unavailable } from '../../core/errors.ts';
import {
  absent,
  applyTransitions,
  type Expected,
  expectUnchanged,
  transition,
} from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import { reissueNotification } from '../../orders/notifications.ts';
import { maximumOrderTickets, type Order, seatNumbersOfIssue } from '../../orders/order.ts';
import { tryQueueFulfilment } from '../../orders/settlement/settle-order.ts';
import { getOrder, OrderTransitionRefused, transitionOrder } from '../../orders/store.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { mapInChunks, outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { findTicketsById } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import {
  type Burn,
  BurnTransitionRefused,
  burnId,
  burnOfCurrentIssue,
  findBurn,
  insertBurn,
  reopenBurn,
} from '../burning/store.ts';

/** Limits the requests: each can cost two transactions on the chain. */
const requestLimit = {
  maximum: 5,
  windowSeconds: 24 * 60 * 60,
  message: 'A reissue of this order was requested five times today, please try again tomorrow',
};

/**
 * Who requests a reissue. The buyer may request a single reissue, before any admission. An organizer who is also the
 * buyer counts as the organizer.
 */
type Requester = NonNullable<Burn['reissue']>['by'];

/**
 * Burns the tickets of an order and mints them again to another wallet, as the order's next issue, for a buyer who lost
 * or mistyped the first wallet. Check-in codes do not change. When an earlier request burned the tickets, but they
 * could not be minted to its wallet, they are queued to be minted to the new one.
 * @throws DomainError 404 for callers other than the buyer, the event's organizer, its managers and administrators; 409
 * while another operation on the tickets is in progress, once a ticket or its token was transferred, and when the buyer
 * has no reissue left; 429 after five requests for an order within a day; 503 when the chain does not answer
 */
export async function requestReissue(caller: Actor, orderId: string, wallet: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  const manager = await managerOf(event, caller);
  authorize(caller, [admin, manager, buyerOf(order)], notFound('Order'));
  const requester: Requester = [admin, manager].some((entitles) => entitles(caller)) ? 'organizer' : 'buyer';
  requireReissuable(order, event, requester);
  // Counted first: the next check queries the chain for every ticket.
  await countAttempt(keys.attempts('REISSUE', orderId), requestLimit);
  if (order.fulfilmentStatus === 'failed') return changeWallet(caller, order, event, wallet);
  await requireNotMoved(order, wallet);
  return startReissue(caller, order, event, { wallet, by: requester });
}

/** Requires that the order's state allows a reissue. @throws DomainError 409 */
function requireReissuable(order: Order, event: Event, requester: Requester): void {
  const { paymentStatus, fulfilmentStatus, refund, transferred = 0, admitted = 0, quantity } = order;
  if (paymentStatus !== 'COMPLETED')
    throw conflict('not-paid', 'Only the tickets of a paid order can be reissued');
  if (event.status === 'CANCELLED') throw conflict('event-cancelled', 'The event is cancelled');
  if (refund || fulfilmentStatus === 'refund-due') throw conflict('refunded', 'The order is refunded');
  if (transferred > 0)
    throw conflict('moved', 'A ticket of this order was transferred, so it is not reissued');
  if (order.returned)
    throw conflict('reissue-not-supported', "An order of which tickets were refunded can't be reissued");
  if (order.listings)
    throw conflict('listed', 'A ticket is listed for the waiting list: end its return first');
  if (requester === 'buyer' && admitted > 0)
    throw conflict('admitted', 'Somebody was admitted with this order: ask the organizer to reissue it');
  if (requester === 'buyer' && order.buyerReissuedAt)
    throw conflict('already-reissued', 'The tickets were reissued once: ask the organizer to do it again');
  if (['none', 'queued', 'minting', 'reissuing'].includes(fulfilmentStatus))
    throw conflict('in-progress', 'The tickets are being minted, please try again in a moment', 30);
  const canChangeWallet =
    fulfilmentStatus === 'failed' && order.issue !== undefined && requester === 'organizer';
  if (fulfilmentStatus !== 'minted' && !canChangeWallet)
    throw conflict(
      'nothing-to-reissue',
      'The order has no minted tickets. The buyer can change the wallet in the account instead.',
    );
  if (quantity > maximumOrderTickets)
    throw conflict(
      'reissue-not-supported',
      `Orders of more than ${maximumOrderTickets} tickets can't be reissued`,
    );
}

/**
 * Requires that all tokens are in the wallet that they were minted to, and that another wallet is requested.
 * @throws DomainError 409 otherwise; 503 when the chain does not answer
 */
async function requireNotMoved(order: Order, wallet: string): Promise<void> {
  const { chainId, contract, holder } = await burnOfCurrentIssue(order);
  if (holder === wallet) throw conflict('same-wallet', 'The tickets are in this wallet already');
  const ids = seatNumbersOfIssue(order).map((seat) => ticketId(order.id, seat));
  const tickets = await findTicketsById(order.userId, ids);
  const connection = await connect(chainId);
  const isMoved = async () => {
    if (!connection || !(await isTicketContract(connection, contract)))
      throw conflict('reissue-not-supported', "The contract of the tickets can't burn tickets");
    const owners = await mapInChunks(tickets, (ticket) =>
      readFromAnyNode(connection, (node) => readOwner(node, ticket)),
    );
    return owners.some((owner) => owner !== holder);
  };
  try {
    if (tickets.length < ids.length || (await isMoved()))
      throw conflict('moved', 'A ticket of this order was transferred, so it is not reissued');
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    throw unavailable('The chain does not answer, please try again in a moment', 30);
  }
}

/** Opens the burn and changes the order in one transaction. The mint worker burns and mints the tickets. */
async function startReissue(
  caller: Actor,
  order: Order,
  event: Event,
  reissue: NonNullable<Burn['reissue']>,
): Promise<Order> {
  const timestamp = new Date().toISOString();
  const isBuyer = reissue.by === 'buyer';
  const reissueTransition = transition(fulfilment, 'reissue', isBuyer ? { buyerReissuedAt: timestamp } : {});
  const expected: Expected<Order> = {
    ...expectUnchanged(order, 'issue', 'returned', 'listings'),
    ...(isBuyer && { ...expectUnchanged(order, 'admitted', 'admissionsUndone'), buyerReissuedAt: absent }),
  };
  const burn = await burnOfCurrentIssue(order);
  const notice = prepareNotice(caller, order, event, reissue.wallet, timestamp);
  try {
    await transact([
      transitionOrder(order.id, [reissueTransition], timestamp, { unchanged: expected }),
      await openBurn({ ...burn, reissue }),
      ...notice.writes,
    ]);
  } catch (error) {
    const hasChanged = error instanceof OrderTransitionRefused || error instanceof BurnTransitionRefused;
    if (hasChanged)
      throw conflict('in-progress', 'The order has just changed, please try again in a moment', 2);
    throw error;
  }
  await queueMails([{ content: notice.mail }]);
  try {
    await sendMessage('mint-tickets', { type: 'burn', burnOrderId: burnId(burn) }, { tenant: burn.tenant });
  } catch (error) {
    log.error('Burn could not be queued: the sweep finds it', error, { orderId: order.id });
  }
  return applyTransitions({ ...order, updatedAt: timestamp }, reissueTransition);
}

/** Notifies and mails the buyer, since somebody else may have requested it, and records the requester in the audit trail. */
function prepareNotice(caller: Actor, order: Order, event: Event, wallet: string, timestamp: string) {
  const { writes, mail } = prepareAnnouncement(order.userId, 'tickets-reissued');
  const entry = insertAuditEntry({
    action: 'tickets-reissued',
    by: toAuditActor(caller),
    eventId: event.id,
    details: { orderId: order.id },
    at: timestamp,
  });
  const notification = insertNotification(reissueNotification(order, wallet, event, timestamp));
  return { writes: [notification, entry, ...writes], mail };
}

/** Opens a burn, or reopens it when an earlier attempt failed. */
async function openBurn(newBurn: Parameters<typeof insertBurn>[0]): Promise<Write> {
  const failedBurn = await findBurn(burnId(newBurn));
  return failedBurn ? reopenBurn(failedBurn, newBurn.reissue) : insertBurn(newBurn);
}

/** Queues burned tickets to be minted to another wallet, because minting to the previous one failed. */
async function changeWallet(caller: Actor, order: Order, event: Event, wallet: string): Promise<Order> {
  if (!order.issue) return order;
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const requeueTransition = transition(fulfilment, 'requeue', {
    issue: { ...order.issue, wallet },
    queuedAt: timestamp,
  });
  const options = {
    nextDueAt: now + outboxDelayMilliseconds,
    unchanged: expectUnchanged(order, 'issue', 'refunds'),
  };
  const notice = prepareNotice(caller, order, event, wallet, timestamp);
  try {
    await transact([transitionOrder(order.id, [requeueTransition], timestamp, options), ...notice.writes]);
  } catch (error) {
    if (!(error instanceof OrderTransitionRefused)) throw error;
    throw conflict('in-progress', 'The order has just changed, please try again in a moment', 2);
  }
  await queueMails([{ content: notice.mail }]);
  const queuedOrder = applyTransitions({ ...order, updatedAt: timestamp }, requeueTransition);
  await tryQueueFulfilment(queuedOrder);
  return queuedOrder;
}
