import { type AuditActor, gatewayActor, operatorActor, systemActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict } from '../../core/errors.ts';
import { toDecimal } from '../../core/money.ts';
import {
  absent,
  applyTransitions,
  type EventOf,
  expectUnchanged,
  transition,
} from '../../core/state-machine.ts';
import { type Condition, transact, type Write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { netOf, orderReversalEntry } from '../../money/ledger/ledger.ts';
import {
  findUpcomingCredit,
  postEntry,
  subtractUpcomingEarnings,
  UpcomingEarningsChanged,
} from '../../money/ledger/store.ts';
import {
  BurnTransitionRefused,
  burnId,
  burnOfCurrentIssue,
  findBurn,
  insertBurn,
  reopenBurn,
} from '../../nft/burning/store.ts';
import { retry } from '../../runtime/retry.ts';
import { incrementCounter } from '../../runtime/telemetry.ts';
import { releaseOrderTickets } from '../checkout/reserve-tickets.ts';
import { toSoldOrder } from '../fulfilment/fulfil-orders.ts';
import { fulfilment, refund as machine, refund as refundMachine } from '../lifecycle.ts';
import { refundNotification } from '../notifications.ts';
import { type Order, paidAmountOf, type Refund } from '../order.ts';
import { getOrder, OrderTransitionRefused, transitionOrder } from '../store.ts';

interface RefundOptions {
  /** Whether the money was returned already. */
  isMoneyReturned: boolean;
  /** Who requested the refund; the service itself for a cancelled event. */
  requestedBy: AuditActor;
  /** Whether the organizer's balance has to cover it, unless the event is cancelled. Otherwise it may become negative. */
  mustBeCovered: boolean;
}

/**
 * Begins the refund of a paid order, once. One transaction invalidates its tickets, releases its seats, reverses the
 * organizer's credit if there was one, and stores the refund. Then only the money has to be sent.
 * @returns the order with its refund
 * @throws DomainError 409 for an order that is not paid; 409 with Retry-After until the order is posted to the
 * ledger, and when concurrent changes outlast the retries; 409 for an order with a seat that was admitted or
 * transferred, unless the event is cancelled or the money was returned already; 409 for a refund that is not covered
 */
export function beginRefund(
  order: Order,
  { isMoneyReturned = false, requestedBy = systemActor, mustBeCovered = false }: Partial<RefundOptions> = {},
): Promise<Order> {
  let current = order;
  const attempt = async () => {
    try {
      return await transactRefund(current, { isMoneyReturned, requestedBy, mustBeCovered });
    } catch (error) {
      if (error instanceof OrderTransitionRefused) current = error.current;
      throw error;
    }
  };
  return retry(attempt, {
    // A concurrent write came first: another request began the refund, the order was minted, its burn was opened, or
    // its credit was unlocked.
    isRetryable: (error) =>
      error instanceof OrderTransitionRefused ||
      error instanceof BurnTransitionRefused ||
      error instanceof UpcomingEarningsChanged,
    exhaustedError: () => conflict('busy', 'The order is being changed right now, please try again', 1),
  });
}

/**
 * @throws OrderTransitionRefused, BurnTransitionRefused or UpcomingEarningsChanged after a concurrent change;
 * DomainError as `beginRefund`
 */
async function transactRefund(
  order: Order,
  { isMoneyReturned, requestedBy, mustBeCovered }: RefundOptions,
): Promise<Order> {
  if (order.refund) return order;
  if (order.paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'Only a paid order can be refunded');
  // Posting decides whether the organizer is credited. Before that, it is unknown whether there is a credit to reverse.
  if (!order.isPosted) throw conflict('in-progress', 'The order is still being completed', 2);

  const event = await getEvent(order.eventId);
  const refusesUsedSeats = event.status !== 'CANCELLED' && !isMoneyReturned;
  if (refusesUsedSeats) refuseUsedSeats(order);
  const timestamp = new Date().toISOString();
  const refund = { amount: paidAmountOf(order), attempts: 0, dueAt: timestamp, at: timestamp };
  const refundTransition = transition(refundMachine, lifecycleEventOf(order, isMoneyReturned), { refund });
  const fulfilmentTransition = transition(fulfilment, 'refund', {
    holdsInventory: false,
    fulfilmentReason: order.fulfilmentReason ?? 'refunded',
  });
  const isPending = refundTransition.to === 'pending';
  const isManual = refundTransition.to === 'manual';
  const writes = [
    transitionOrder(order.id, [refundTransition, fulfilmentTransition], timestamp, {
      nextDueAt: isPending ? Date.parse(timestamp) : 'never',
      unchanged: {
        ...expectUnchanged(order, 'holdsInventory', 'fulfilmentStatus', 'otherPayments', 'openDisputes'),
        ...(refusesUsedSeats && { admitted: absent, transferred: absent }),
      },
    }),
    ...(await reversalWrites(
      order,
      event.organizerId,
      timestamp,
      mustBeCovered && event.status !== 'CANCELLED',
    )),
    ...(await burnWrites(order)),
    insertRefundAudit('refund-requested', order, refund, requestedBy),
    ...(isPending ? [] : refundAnnouncementWrites(order, refund, event, timestamp, { isManual })),
  ];
  await (order.holdsInventory ? releaseOrderTickets(order, writes) : transact(writes));
  if (isManual) incrementCounter('RefundsByHand');
  return applyTransitions({ ...order, updatedAt: timestamp }, refundTransition, fulfilmentTransition);
}

/** Refuses an order with a seat that was admitted or transferred. @throws DomainError 409 */
function refuseUsedSeats({ admitted = 0, transferred = 0 }: Order): void {
  if (admitted > 0)
    throw conflict('admitted', 'Somebody was admitted with this order, so it is not refunded');
  if (transferred > 0)
    throw conflict('moved', 'A ticket of this order was transferred, so it is not refunded');
}

/**
 * Reverses the organizer's credit, if there was one, in the ledger account that contains it: `disputed` while the
 * payment is disputed, else `upcoming` until the credit is unlocked, then `available`. `isCredited` does not change
 * after the order is posted.
 */
async function reversalWrites(
  order: Order,
  organizerId: string,
  timestamp: string,
  mustBeCovered: boolean,
): Promise<Write[]> {
  const { eventId, currency, isCredited, openDisputes } = order;
  if (!isCredited) return [];
  const owner = { organizerId, currency };
  const soldOrder = toSoldOrder(order);
  const net = netOf(soldOrder);
  const upcoming = await findUpcomingCredit(owner, order);
  const account = openDisputes ? 'disputed' : upcoming ? 'upcoming' : 'available';
  // What is reserved for a dispute was subtracted from the available balance.
  const isChecked = mustBeCovered && !upcoming && net > 0n;
  return [
    ...postEntry(
      orderReversalEntry(owner, eventId, soldOrder, timestamp, account),
      isChecked ? whenCovered(openDisputes ? 0n : net) : undefined,
    ),
    ...(upcoming && !openDisputes ? [subtractUpcomingEarnings(upcoming, net)] : []),
  ];
}

function whenCovered(net: bigint): Condition {
  const text =
    'Your available balance does not cover this refund. Wait for further sales, or ask the platform to refund the order';
  return {
    when: '#available >= :net',
    values: { net },
    orThrow: () => conflict('insufficient-funds', text),
  };
}

/**
 * Opens a burn if the order's tickets were minted; the sweep queues the burn. A burn that was
 * opened for a reissue serves the refund too.
 */
async function burnWrites(order: Order): Promise<Write[]> {
  if (!order.mintedAt) return [];
  const newBurn = await burnOfCurrentIssue(order);
  const existingBurn = await findBurn(burnId(newBurn));
  if (existingBurn) return existingBurn.status === 'failed' ? [reopenBurn(existingBurn)] : [];
  return [insertBurn(newBurn)];
}

/** Returns the event of the order's lifecycle that begins the refund. */
function lifecycleEventOf(order: Order, isMoneyReturned: boolean) {
  if (isMoneyReturned) return 'beginSent';
  if (paidAmountOf(order) === 0n) return 'beginFree';
  return order.paymentMethod === 'CRYPTO' ? 'beginManual' : 'begin';
}

/**
 * Completes a refund whose money was sent, and notifies the buyer.
 * @throws OrderTransitionRefused when the refund has changed since the order was read
 */
export async function completeRefund(
  order: Order & { refund: Refund },
  { transactionId, completedBy = gatewayActor }: { transactionId?: string; completedBy?: AuditActor } = {},
): Promise<void> {
  const timestamp = new Date().toISOString();
  const completedRefund = { ...resetAttempts(order.refund, timestamp), transactionId };
  const event = await getEvent(order.eventId);
  await transact([
    transitionRefund(order, 'complete', completedRefund),
    ...refundAnnouncementWrites(order, completedRefund, event, timestamp),
    insertRefundAudit('refund-completed', order, completedRefund, completedBy),
  ]);
}

/**
 * Completes a refund that an operator sent by hand: the order was paid on a chain or the gateway refused the
 * refund.
 * @param transactionId the transfer's hash or id
 * @throws DomainError 404 for an unknown order, 409 when it has no refund to send by hand
 */
export async function completeManualRefund(orderId: string, transactionId: string): Promise<void> {
  const order = await getOrder(orderId);
  const { refund } = order;
  if (refund?.status !== 'manual' && refund?.status !== 'failed') {
    throw conflict('nothing-to-refund', 'No refund of this order has to be sent by hand');
  }
  await completeRefund({ ...order, refund }, { transactionId, completedBy: operatorActor });
}

/** The fields of a refund after a transition. Its status follows from the event. */
export type RefundFields = Omit<Refund, 'status'>;

/**
 * Returns the write of a refund's transition. It fails when the refund has changed since it was read. The sweep queues
 * the order when its pending refund is due.
 * @throws as `transitionOrder`
 */
export function transitionRefund(order: Order, event: EventOf<typeof machine>, refund: RefundFields): Write {
  const refundTransition = transition(machine, event, { refund });
  return transitionOrder(order.id, [refundTransition], new Date().toISOString(), {
    nextDueAt: refundTransition.to === 'pending' ? Date.parse(refund.dueAt) : 'never',
    unchanged: expectUnchanged(order, 'refund'),
  });
}

/**
 * Returns a refund without attempts and due at once, for a transition to a new status. @param timestamp ISO 8601 in UTC
 */
export function resetAttempts(refund: Refund, timestamp: string): Refund {
  return { ...refund, attempts: 0, dueAt: timestamp, at: timestamp };
}

/** Records a step of a refund in the audit trail. */
export function insertRefundAudit(
  action: 'refund-requested' | 'refund-completed' | 'refund-failed',
  { id: orderId, eventId, currency }: Order,
  { amount, transactionId }: Pick<RefundFields, 'amount' | 'transactionId'>,
  actor: AuditActor,
): Write {
  const details = { orderId, amount: toDecimal(amount, currency), currency };
  return insertAuditEntry({
    action,
    by: actor,
    eventId,
    details: { ...details, ...(transactionId && { transactionId }) },
  });
}

/** Notifies and mails the buyer of a refund; see `refundNotification`. */
export function refundAnnouncementWrites(
  order: Order,
  refund: RefundFields,
  event: Event,
  timestamp: string,
  options: { isManual?: boolean } = {},
): Write[] {
  return [
    insertNotification(refundNotification(order, refund, event, timestamp, options)),
    ...insertMail({ kind: 'order-refunded', orderId: order.id }, order.userId, { eventId: event.id }),
  ];
}
