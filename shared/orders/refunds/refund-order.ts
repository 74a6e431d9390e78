import { type AuditActor, gatewayActor, operatorActor, systemActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { recordDoorChange } from '../../catalog/door/changes.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict } from '../../core/errors.ts';
import { toDecimal, toNumber } from '../../core/money.ts';
import {
  absent,
  applyTransitions,
  type EventOf,
  type Expected,
  expectUnchanged,
  transition,
} from '../../core/state-machine.ts';
import { type Condition, combineUpdates, transact, type Write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { type Occurrences, prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { netOf, orderReversalEntry, type SoldOrder } from '../../money/ledger/ledger.ts';
import {
  findUpcomingCredit,
  InvoiceNumbers,
  InvoiceNumbersChanged,
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
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { releaseOrderTickets, uncountWrites } from '../checkout/reserve-tickets.ts';
import { needsCreditNote } from '../invoice.ts';
import { fulfilment, refund as refundMachine } from '../lifecycle.ts';
import { refundNotification } from '../notifications.ts';
import { heldItems, itemsOfSeats, type Order, type Refund, sumItems, unlist } from '../order.ts';
import {
  leftOf,
  planRefund,
  type RefundPart,
  type RefundRequest,
  remainingSoldOrder,
  reversalOf,
} from '../shares.ts';
import { changeOrder, getOrder, OrderTransitionRefused, scheduleRefund, transitionOrder } from '../store.ts';
import { orderOccurrence } from '../views.ts';

interface RefundOptions {
  /** Whether the money was returned already. */
  isMoneyReturned: boolean;
  /** Who requested the refund; the service itself for a cancelled event. */
  requestedBy: AuditActor;
  /** Whether the organizer's balance has to cover it, unless the event is cancelled. Otherwise it may become negative. */
  mustBeCovered: boolean;
  /** Requires that none of an order's seats was admitted or transferred. @throws DomainError 409 */
  requireUnusedSeats: (order: Order, numbers: readonly number[]) => Promise<void>;
  /** A part of the order; absent for all that is left of it. */
  part: Pick<RefundRequest, 'seats' | 'amount' | 'feePercent'>;
  /** Identifies the call, so that its repetition begins no second refund. */
  requestId: string | undefined;
  /** The order that the seats are sold to. Their tokens are burned before its tickets are minted. */
  soldTo: string | undefined;
}

/**
 * Begins the refund of a paid order or of a part, once. One transaction invalidates its tickets, releases its seats,
 * reverses the organizer's credit if there was one, and stores the refund. Then only the money has to be sent.
 * @returns the order with its refund
 * @throws DomainError 409 for an order that is not paid; 409 with Retry-After until the order is posted to the
 * ledger, and when concurrent changes outlast the retries; 409 for a seat that was admitted or
 * transferred, and while tokens that admit are being minted, unless the event is cancelled or the money was returned
 * already; 409 for a refund that is not covered, or more than what is left of the payment, and for the 51st without
 * tickets; 409 for a part while the payment is disputed
 */
export function beginRefund(
  order: Order,
  {
    isMoneyReturned = false,
    requestedBy = systemActor,
    mustBeCovered = false,
    requireUnusedSeats = async (order) => refuseUsedOrder(order),
    part = {},
    requestId,
  }: Partial<Omit<RefundOptions, 'soldTo'>> = {},
): Promise<Order> {
  let current = order;
  const attempt = async () => {
    try {
      return await transactRefund(current, {
        isMoneyReturned,
        requestedBy,
        mustBeCovered,
        requireUnusedSeats,
        part,
        requestId,
        soldTo: undefined,
      });
    } catch (error) {
      if (error instanceof OrderTransitionRefused) current = error.current;
      throw error;
    }
  };
  return retry(attempt, {
    // A concurrent write came first: another request began the refund, the order was minted, its burn was opened, or
    // its credit was unlocked, or another order of the organizer took the number of the credit note.
    isRetryable: (error) =>
      error instanceof OrderTransitionRefused ||
      error instanceof BurnTransitionRefused ||
      error instanceof UpcomingEarningsChanged ||
      error instanceof InvoiceNumbersChanged,
    exhaustedError: () => conflict('busy', 'The order is being changed right now, please try again', 1),
  });
}

/**
 * @throws OrderTransitionRefused, BurnTransitionRefused, UpcomingEarningsChanged or InvoiceNumbersChanged after a concurrent change;
 * DomainError as `beginRefund`
 */
async function transactRefund(order: Order, options: RefundOptions): Promise<Order> {
  const event = await getEvent(order.eventId);
  const invoiceNumbers = new InvoiceNumbers(event.organizerId);
  const prepared = await prepareRefund(order, event, { ...options, invoiceNumbers });
  if (!prepared) return order;
  const { released } = prepared;
  const writes = [...prepared.writes, ...invoiceNumbers.writes()];
  await (released?.holdsInventory ? releaseOrderTickets(released, writes) : transact(writes));
  await prepared.finish();
  return prepared.order;
}

interface PreparedRefund {
  /** The order with the refund. */
  order: Order;
  /**
   * The writes that begin the refund, without those of the inventory, the buyer's counters and the invoice numbers. The first is
   * the order's.
   */
  writes: readonly Write[];
  /** The order with what it no longer has; undefined for goodwill. */
  released: Order | undefined;
  /** The id of the burn of its tokens; undefined when there are none to burn. */
  burn: string | undefined;
  /** Does what follows the writes. */
  finish(): Promise<void>;
}

/** @returns undefined for a refund that began before @throws as `transactRefund` */
async function prepareRefund(
  order: Order,
  event: Event,
  options: RefundOptions & { invoiceNumbers: InvoiceNumbers },
): Promise<PreparedRefund | undefined> {
  const { isMoneyReturned, requestedBy, mustBeCovered, part, requestId, soldTo, invoiceNumbers } = options;
  if (requestId !== undefined && order.refunds?.some((refund) => refund.requestId === requestId))
    return undefined;
  if (order.refund && part.amount !== undefined) throw nothingLeft();
  if (order.refund) return undefined;
  if (order.paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'Only a paid order can be refunded');
  // Posting decides whether the organizer is credited. Before that, it is unknown whether there is a credit to reverse.
  if (!order.isPosted) throw conflict('in-progress', 'The order is still being completed', 2);

  const isCancelled = event.status === 'CANCELLED';
  // What a cancelled event or a late payment owes is due already.
  const isWholeDue = isCancelled || order.fulfilmentStatus === 'refund-due';
  const request = isWholeDue ? {} : part;
  if (request.seats?.every((number) => order.returned?.includes(number))) return undefined;
  const includesKept = isMoneyReturned || order.openDisputes !== undefined;
  const { isFinal, ...planned } = planRefund(order, { ...request, includesKept });
  if (!isFinal) requirePart(order, planned);
  const refusesUsedSeats = !isCancelled && !isMoneyReturned && planned.kind !== 'goodwill';
  // A mined token can be sold before the mint is final and recorded.
  if (refusesUsedSeats && event.entry === 'token' && order.fulfilmentStatus === 'minting')
    throw conflict('minting', 'The tickets are being minted. Please try again in a minute.', 60);
  if (refusesUsedSeats && !request.seats) refuseUsedOrder(order);
  if (refusesUsedSeats && request.seats) await options.requireUnusedSeats(order, request.seats);
  const timestamp = new Date().toISOString();
  const creditNote = needsCreditNote(order, planned)
    ? { number: await invoiceNumbers.take(1), at: timestamp }
    : undefined;
  // Where the event admits by token, a seller could otherwise sell a token at the moment of the refund, and have both the price
  // and the refund.
  const waitsForTokens = planned.kind !== 'goodwill' && event.entry === 'token' && !isCancelled;
  const refund = {
    ...planned,
    requestId,
    soldTo,
    ...(waitsForTokens && { waitsForTokens }),
    attempts: 0,
    dueAt: timestamp,
    at: timestamp,
    creditNote,
  };
  const lifecycleEvent = lifecycleEventOf(order, refund, isMoneyReturned);
  const began = isFinal
    ? beginFinal(order, refund, lifecycleEvent, timestamp)
    : beginPart(order, refund, lifecycleEvent, timestamp);
  const { status } = began.refund;
  const occurrences = status === 'done' ? await prepareRefunded(order, refund, event, timestamp) : undefined;
  const burn = planned.kind === 'goodwill' ? undefined : await openBurn(order, planned, { isFinal, soldTo });
  const writes = [
    began.write({
      ...expectUnchanged(
        order,
        'buyer',
        'holdsInventory',
        'fulfilmentStatus',
        'otherPayments',
        'returnedExcess',
        'openDisputes',
        'refunds',
        'listings',
      ),
      // They count the seats that may no longer be refunded.
      ...(refusesUsedSeats && expectUnchanged(order, 'admitted', 'admissionsUndone', 'transferred')),
    }),
    ...(await reversalWrites(
      order,
      { event, reversed: reversalOf(order, { ...planned, isFinal }), number: began.number },
      timestamp,
      mustBeCovered && !isCancelled,
    )),
    ...(burn?.writes ?? []),
    insertRefundAudit('refund-requested', order, refund, requestedBy),
    ...(status === 'pending' && !isFinal ? [scheduleRefund(order, Date.parse(timestamp))] : []),
    ...(status === 'pending'
      ? []
      : refundAnnouncementWrites(order, refund, event, timestamp, {
          isManual: status === 'manual',
          number: began.number,
        })),
    ...(planned.kind === 'goodwill' ? [] : recordDoorChange(event, { orderIds: [order.id] }, timestamp)),
    ...(occurrences?.writes ?? []),
  ];
  return {
    order: began.order,
    writes,
    released:
      planned.kind === 'goodwill' ? undefined : releasedPart(order, isFinal ? undefined : planned.seats),
    burn: burn?.id,
    async finish() {
      await occurrences?.queue();
      if (status === 'manual') incrementCounter('RefundsByHand');
    },
  };
}

/** Returns an order with some of its seats, or all that it still has. */
function releasedPart(order: Order, seats: readonly number[] | undefined): Order {
  if (!seats) return { ...order, items: heldItems(order) };
  // The order still counts as a use of its code.
  return { ...order, items: itemsOfSeats(order, seats), redemption: undefined };
}

/** Seats of an order that another order takes over. */
export interface SoldSeats {
  order: Order;
  seats: readonly number[];
}

/**
 * Prepares the refunds of listed seats that another order pays for. Its caller writes them in the transaction that completes
 * the other order: the seats change hands, and the inventory has them as sold all the time.
 * @returns undefined when seats are refunded already
 * @throws DomainError as `beginRefund`
 */
export async function prepareResale(sold: readonly SoldSeats[], event: Event, soldTo: string) {
  const invoiceNumbers = new InvoiceNumbers(event.organizerId);
  const refunds: PreparedRefund[] = [];
  const released: Order[] = [];
  for (const { order, seats } of sold) {
    const prepared = await prepareRefund(order, event, {
      isMoneyReturned: false,
      requestedBy: systemActor,
      mustBeCovered: false,
      // The transaction checks each seat.
      requireUnusedSeats: async () => {},
      part: { seats, feePercent: order.returns?.feePercent ?? 0 },
      requestId: undefined,
      soldTo,
      invoiceNumbers,
    });
    // The event was cancelled meanwhile, so the whole order is due.
    if (!prepared?.released || sumItems(prepared.released.items).quantity !== seats.length) return undefined;
    refunds.push(prepared);
    released.push(prepared.released);
  }
  const writes = [
    ...refunds.flatMap((refund) => refund.writes),
    ...released.flatMap((order) => uncountWrites(order)),
    ...invoiceNumbers.writes(),
  ];
  return {
    // The orders may have one buyer, and all credit one organizer.
    writes: combineUpdates(writes),
    burns: refunds.flatMap(({ burn }) => burn ?? []),
    async finish() {
      for (const refund of refunds) await refund.finish();
    },
  };
}

/** Requires that a part of an order can be refunded now. @throws DomainError 409 */
export function requirePart(order: Order, { kind, amount }: RefundPart): void {
  if (order.openDisputes)
    throw conflict('disputed', 'The payment is disputed, so it is not refunded in part');
  if (order.fulfilmentStatus === 'reissuing')
    throw conflict('in-progress', 'The tickets are being minted again, please try again in a moment', 30);
  if (kind !== 'goodwill') return;
  if (amount > leftOf(order)) throw nothingLeft();
  const earlier = (order.refunds ?? []).filter((refund) => refund.kind === 'goodwill').length;
  if (earlier >= maximumGoodwills)
    throw conflict(
      'too-many-refunds',
      `An order is refunded at most ${maximumGoodwills} times without its tickets`,
    );
}

/** The item of an order contains its refunds, and has to remain small enough for all that may still happen to it. */
const maximumGoodwills = 50;

const nothingLeft = () =>
  conflict('refund-too-high', 'More than what is left of the payment can’t be refunded');

interface BegunRefund {
  /** The order with the refund. */
  order: Order;
  refund: Refund;
  /** The number of the partial refund, from 1 on. */
  number?: number;
  write(unchanged: Expected<Order>): Write;
}

/** Begins the refund of all that is left. */
function beginFinal(
  order: Order,
  refund: RefundFields,
  lifecycleEvent: EventOf<typeof refundMachine>,
  timestamp: string,
): BegunRefund {
  const refundTransition = transition(refundMachine, lifecycleEvent, { refund });
  const fulfilmentTransition = transition(fulfilment, 'refund', {
    holdsInventory: false,
    fulfilmentReason: order.fulfilmentReason ?? 'refunded',
  });
  const transitions = [refundTransition, fulfilmentTransition];
  const nextDueAt = refundTransition.to === 'pending' ? Date.parse(timestamp) : 'never';
  return {
    order: applyTransitions({ ...order, updatedAt: timestamp }, ...transitions),
    refund: refundTransition.set.refund as Refund,
    write: (unchanged) =>
      transitionOrder(order.id, transitions, timestamp, {
        nextDueAt,
        unchanged,
        change: unlist(order, () => true),
      }),
  };
}

/** Begins a refund that leaves the order valid. */
function beginPart(
  order: Order,
  fields: RefundFields,
  lifecycleEvent: EventOf<typeof refundMachine>,
  timestamp: string,
): BegunRefund {
  const { to } = transition(refundMachine, lifecycleEvent, { refund: fields });
  const refund = { ...fields, status: to } as Refund;
  const refunds = [...(order.refunds ?? []), refund];
  const returned = [...(order.returned ?? []), ...(refund.seats ?? [])];
  const change = {
    refunds,
    updatedAt: timestamp,
    ...(refund.seats && { returned }),
    ...unlist(order, ({ number }) => returned.includes(number)),
  };
  return {
    order: { ...order, ...change },
    refund,
    number: refunds.length,
    write: (unchanged) =>
      changeOrder(order.id, change, {
        unchanged: {
          ...unchanged,
          ...expectUnchanged(order, 'mintedAt', 'issue'),
          paymentStatus: 'COMPLETED',
          refund: absent,
        },
      }),
  };
}

/**
 * Takes back what the organizer has kept of an order without seats, once its whole payment has gone back: by a lost dispute, or
 * in the provider's dashboard. Otherwise an organizer could have stolen cards pay for tickets, and return these for a fee of
 * 100 % before the disputes.
 * @throws OrderTransitionRefused or UpcomingEarningsChanged after a concurrent change
 */
export async function returnKept(order: Order): Promise<void> {
  const { id, eventId, refund, refunds = [] } = order;
  const kept = remainingSoldOrder(order);
  if (!refund || netOf(kept) === 0n) return;
  const timestamp = new Date().toISOString();
  const event = await getEvent(eventId);
  const returned = transition(refundMachine, 'returnKept', { refund: { ...refund, isKeptReturned: true } });
  await transact([
    transitionOrder(id, [returned], timestamp, {
      change: { openDisputes: undefined },
      unchanged: expectUnchanged(order, 'refund', 'refunds', 'openDisputes'),
    }),
    ...(await reversalWrites(
      order,
      { event, reversed: { ...kept, isPart: true }, number: refunds.length + 1 },
      timestamp,
      false,
    )),
    insertRefundAudit('refund-completed', order, { amount: netOf(kept) }, gatewayActor),
  ]);
}

/** Refuses an order with a seat that was admitted or transferred. @throws DomainError 409 */
function refuseUsedOrder({ admitted = 0, transferred = 0 }: Order): void {
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
  { event, reversed, number }: { event: Event; reversed: SoldOrder; number: number | undefined },
  timestamp: string,
  mustBeCovered: boolean,
): Promise<Write[]> {
  const { eventId, currency, isCredited, openDisputes } = order;
  if (!isCredited) return [];
  const owner = { organizerId: event.organizerId, currency };
  const net = netOf(reversed);
  const upcoming = await findUpcomingCredit(owner, order);
  const account = openDisputes ? 'disputed' : upcoming ? 'upcoming' : 'available';
  // What is reserved for a dispute was subtracted from the available balance.
  const isChecked = mustBeCovered && !upcoming && net > 0n;
  return [
    ...postEntry(
      orderReversalEntry(owner, eventId, reversed, timestamp, {
        from: account,
        ...(number !== undefined && { number }),
      }),
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
 * Opens a burn of refunded tickets if they were minted; the sweep queues the burn. A burn that was
 * opened for a reissue serves the refund too. The mint of tickets that are being minted opens it.
 * @param options.soldTo the order that is minted after the burn
 */
async function openBurn(
  order: Order,
  { seats }: RefundPart,
  { isFinal, soldTo }: { isFinal: boolean; soldTo: string | undefined },
): Promise<{ id: string; writes: Write[] } | undefined> {
  if (!order.mintedAt) return undefined;
  const newBurn = await burnOfCurrentIssue(
    order,
    isFinal ? undefined : { part: order.refunds?.length ?? 0, seats },
  );
  if (newBurn.quantity === 0) return undefined;
  const id = burnId(newBurn);
  const existingBurn = await findBurn(id);
  if (!existingBurn) return { id, writes: [insertBurn({ ...newBurn, ...(soldTo && { mintNext: soldTo }) })] };
  return { id, writes: existingBurn.status === 'failed' ? [reopenBurn(existingBurn)] : [] };
}

/** Returns the event of the order's lifecycle that begins the refund. */
function lifecycleEventOf(
  order: Order,
  { amount, waitsForTokens }: RefundFields,
  isMoneyReturned: boolean,
): EventOf<typeof refundMachine> {
  if (isMoneyReturned) return 'beginSent';
  if (amount === 0n) return 'beginFree';
  return order.paymentMethod === 'CRYPTO' && !waitsForTokens ? 'beginManual' : 'begin';
}

/** A refund of an order, and its number among the partial ones, from 1 on; absent for that of all that is left. */
export interface RefundSlot {
  refund: Refund;
  number?: number | undefined;
}

/** Returns all refunds of an order, in the sequence in which they are sent. */
export function refundsOf({ refunds = [], refund }: Pick<Order, 'refunds' | 'refund'>): RefundSlot[] {
  const parts = refunds.map((part, index): RefundSlot => ({ refund: part, number: index + 1 }));
  return refund ? [...parts, { refund }] : parts;
}

/** Returns the key that identifies a refund at the provider. */
export function refundKey(orderId: string, number: number | undefined): string {
  return number === undefined ? `refund-${orderId}` : `refund-${orderId}-${number}`;
}

/** Returns an order with a changed refund. */
export function withRefund(order: Order, { refund, number }: RefundSlot): Order {
  if (number === undefined) return { ...order, refund };
  return {
    ...order,
    refunds: (order.refunds ?? []).map((other, index) => (index + 1 === number ? refund : other)),
  };
}

/**
 * Completes a refund whose money was sent, and notifies the buyer.
 * @param options.transactionId the transfer that an operator has sent by hand
 * @throws OrderTransitionRefused when the refund has changed since the order was read
 */
export async function completeRefund(
  order: Order,
  { refund, number }: RefundSlot,
  {
    transactionId,
    providerId,
    completedBy = gatewayActor,
  }: { transactionId?: string; providerId?: string; completedBy?: AuditActor } = {},
): Promise<void> {
  const timestamp = new Date().toISOString();
  const completedRefund = { ...resetAttempts(refund, timestamp), transactionId, providerId };
  const event = await getEvent(order.eventId);
  const occurrences = await prepareRefunded(order, completedRefund, event, timestamp);
  await transact([
    ...transitionRefund(order, 'complete', { refund: completedRefund, number }),
    ...refundAnnouncementWrites(order, completedRefund, event, timestamp, { number }),
    insertRefundAudit('refund-completed', order, completedRefund, completedBy),
    ...occurrences.writes,
  ]);
  await occurrences.queue();
}

/**
 * Fails a refund, which somebody can then request again, or send by hand.
 * @param event `bounce` for one that was done: the buyer's bank has sent the money back
 * @throws OrderTransitionRefused when the refund has changed since the order was read
 */
export async function failRefund(
  order: Order,
  { refund, number }: RefundSlot,
  event: 'giveUp' | 'bounce',
): Promise<void> {
  const failedRefund = { ...resetAttempts(refund, new Date().toISOString()), providerId: undefined };
  await transact([
    ...transitionRefund(order, event, { refund: failedRefund, number }),
    insertRefundAudit('refund-failed', order, failedRefund, systemActor),
  ]);
  log.warn('Refund failed', { orderId: order.id, refund: number });
  incrementCounter('RefundsFailed');
}

/** Prepares the webhooks about money that has gone back. */
function prepareRefunded(
  order: Order,
  { amount, seats }: RefundFields,
  event: Event,
  timestamp: string,
): Promise<Occurrences> {
  const { data, ...occurrence } = orderOccurrence('order.refunded', order, event, timestamp);
  const refundedAmount = toNumber(amount, order.currency);
  return prepareOccurrences(event.organizerId, event.hasWebhooks, [
    { ...occurrence, data: { ...data, refundedAmount, ...(seats && { seats }) } },
  ]);
}

/**
 * Completes a refund that an operator sent by hand: the order was paid on a chain or the gateway refused the
 * refund.
 * @param number the number of a refund of a part; undefined for that of all that was left
 * @param transactionId the transfer's hash or id
 * @throws DomainError 404 for an unknown order, 409 when it has no such refund to send by hand
 */
export async function completeManualRefund(
  orderId: string,
  number: number | undefined,
  transactionId: string,
): Promise<void> {
  const order = await getOrder(orderId);
  const slot = refundsOf(order).find((each) => each.number === number && isSentByHand(each.refund));
  if (!slot) throw conflict('nothing-to-refund', 'The order has no such refund to send by hand');
  await completeRefund(order, slot, { transactionId, completedBy: operatorActor });
}

/** Returns whether an operator has to send a refund. */
export const isSentByHand = ({ status, isTokenSold }: Refund) =>
  status === 'manual' || (status === 'failed' && !isTokenSold);

/** The fields of a refund after a transition. Its status follows from the event. */
export type RefundFields = Omit<Refund, 'status'>;

/**
 * Returns the writes of a refund's transition. They fail when a refund of the order has changed since it was read: one
 * refund is sent after the other. The sweep queues the order when a pending refund is due.
 * @throws as `transitionOrder`
 */
export function transitionRefund(
  order: Order,
  event: EventOf<typeof refundMachine>,
  { refund, number }: { refund: RefundFields; number?: number | undefined },
): Write[] {
  const refundTransition = transition(refundMachine, event, { refund });
  const timestamp = new Date().toISOString();
  const unchanged = expectUnchanged(order, 'refund', 'refunds');
  const isPending = refundTransition.to === 'pending';
  if (number === undefined) {
    const nextDueAt = isPending ? Date.parse(refund.dueAt) : 'never';
    return [transitionOrder(order.id, [refundTransition], timestamp, { nextDueAt, unchanged })];
  }
  const changed = refundTransition.set.refund as Refund;
  const { refunds = [] } = withRefund(order, { refund: changed, number });
  const nextPart = refunds.find(({ status }) => status === 'pending');
  return [
    changeOrder(
      order.id,
      { refunds, updatedAt: timestamp },
      { unchanged: { ...unchanged, paymentStatus: 'COMPLETED' } },
    ),
    scheduleRefund(order, nextPart ? Date.parse(nextPart.dueAt) : 'never'),
  ];
}

/**
 * Returns a refund without attempts and due at once, for a transition to a new status. @param timestamp ISO 8601 in UTC
 */
export function resetAttempts(refund: Refund, timestamp: string): Refund {
  return { ...refund, attempts: 0, acceptedIds: undefined, dueAt: timestamp, at: timestamp };
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
  options: { isManual?: boolean; number?: number | undefined } = {},
): Write[] {
  const { number } = options;
  const content = {
    kind: 'order-refunded',
    orderId: order.id,
    ...(number !== undefined && { number }),
  } as const;
  return [
    insertNotification(refundNotification(order, refund, event, timestamp, options)),
    ...insertMail(content, order.userId, { eventId: event.id, isCounted: order.totalAmount > 0n }),
  ];
}
