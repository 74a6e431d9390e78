import type { Event, Order } from 'boxoffice-client';
import { formatMoney } from './money.ts';
import { orders } from './texts/en/orders.ts';
import { t } from './texts/orders.ts';

/**
 * An order's state in words, for its buyer and its organizer. When the API gets a new state, this file does not
 * compile until texts/en/orders.ts describes it.
 */
export interface OrderDescription {
  /** A few words, for lists. */
  label: string;
  /**
   * `good` for valid tickets, `waiting` for a payment to arrive or to be checked, `bad` for an order without tickets.
   */
  tone: 'good' | 'waiting' | 'bad';
  /** The heading of the buyer's page. */
  heading: string;
  /** For the buyer: what the state means, and what happens next. */
  explanation: string;
  /** For the organizer: what happened, and what they can do. */
  organizer: string;
}

/** The fields of the event that change an order's words. */
type OrderEvent = Pick<Event, 'status' | 'contractAddress'>;

/**
 * Describes an order's state. With `event`, also says that the event was cancelled, or how to have the tickets minted.
 */
export function describeOrder(order: Order, event?: OrderEvent): OrderDescription {
  const isCancelled = event?.status === 'CANCELLED' || order.fulfilment.reason === 'event-cancelled';
  if (order.paymentStatus === 'FAILED') return describeFailure(order);
  if (order.paymentStatus === 'PENDING') return describePending(order, isCancelled);
  if (order.refund || order.fulfilment.status === 'refund-due' || isCancelled) {
    return describeRefund(order, isCancelled);
  }
  if (order.paymentReview) return paymentUnderReview(order);
  return describeTickets(order, order.fulfilment.status, event);
}

/** Returns whether the order's status is about to change without an action of the user. */
export function isInProgress(
  { paymentStatus, fulfilment, refund, refunds }: Order,
  event?: OrderEvent,
): boolean {
  if (paymentStatus !== 'COMPLETED') return paymentStatus === 'PENDING';
  if (refunds.some(({ status }) => status === 'pending')) return true;
  if (refund) return refund.status === 'pending';
  return event?.status === 'CANCELLED' || isUnfinished[fulfilment.status];
}

const isUnfinished: Record<Order['fulfilment']['status'], boolean> = {
  none: true,
  queued: true,
  minting: true,
  reissuing: true,
  minted: false,
  'not-needed': false,
  failed: false,
  'refund-due': true,
};

const failureOf = (reason: Order['failureReason']): OrderDescription => {
  const key = reason ?? 'unknown';
  return {
    label: t(`failures.${key}.label`),
    tone: 'bad',
    heading: t(`failures.${key}.heading`),
    explanation: t(`failures.${key}.explanation`),
    organizer: t(`failures.${key}.organizer`),
  };
};

function describeFailure(order: Order): OrderDescription {
  if (!order.paymentReview) return failureOf(order.failureReason);
  const mismatched = mismatchedPayment(order);
  return {
    ...mismatched,
    tone: 'bad',
    explanation: `${mismatched.explanation} ${t('review.mismatched.released')}`,
  };
}

const mismatchedPayment = (order: Order): OrderDescription => ({
  label: t('review.mismatched.label'),
  tone: 'waiting',
  heading: t('review.heading'),
  explanation: t('review.mismatched.explanation'),
  organizer: describeReview(order),
});

const paymentUnderReview = (order: Order): OrderDescription => ({
  label: t('review.paid.label'),
  tone: 'waiting',
  heading: t('review.heading'),
  explanation: t('review.paid.explanation'),
  organizer: describeReview(order),
});

const describeReview = ({ paymentReview }: Order): string =>
  t('review.organizer', { review: paymentReview ?? '' });

function describePending(order: Order, isCancelled: boolean): OrderDescription {
  if (!isCancelled && order.paymentReview) return mismatchedPayment(order);
  const key = isCancelled ? 'cancelled' : pendingState(order);
  return {
    label: t(`pending.${key}.label`),
    tone: isCancelled ? 'bad' : 'waiting',
    heading: t(`pending.${key}.heading`),
    explanation:
      key === 'waiting' && order.paymentMethod === 'CRYPTO'
        ? t('pending.payFromWallet')
        : t(`pending.${key}.explanation`),
    organizer: t(`pending.${key}.organizer`),
  };
}

/** `confirming`: the buyer has submitted a transaction, which is not final yet. */
function pendingState({ payment, declinedAt }: Order): 'confirming' | 'declined' | 'waiting' {
  if (payment?.transactionHash) return 'confirming';
  return declinedAt ? 'declined' : 'waiting';
}

/** Why an order is refunded. A failed mint is no reason for a refund, since the tickets stay valid. */
type RefundCause = keyof typeof orders.causes;

const isCause = (reason: string | null): reason is RefundCause => reason !== null && reason in orders.causes;

function describeRefund(order: Order, isCancelled: boolean): OrderDescription {
  const { refund, fulfilment, currency } = order;
  const reason = isCancelled ? 'event-cancelled' : fulfilment.reason;
  const cause = isCause(reason) ? reason : 'refunded';
  const amount = refund ? refund.amount : (order.paidAmount ?? order.totalAmount);
  const status = refund?.status ?? 'due';
  const values = { amount: formatMoney(amount, currency) };
  const isFree = amount === 0;
  const explanation = isFree ? t('free.explanation') : t(`refunds.${status}.explanation`, values);
  const organizer = isFree ? '' : t(`refunds.${status}.organizer`, values);
  return {
    label: isFree ? t('free.label') : t(`refunds.${status}.label`),
    tone: 'bad',
    heading: t(`refundHeadings.${headingOf(cause, status)}`),
    explanation: `${t(`causes.${cause}.explanation`)} ${explanation}`,
    organizer: `${t(`causes.${cause}.organizer`)} ${organizer}`.trim(),
  };
}

function headingOf(cause: RefundCause, status: NonNullable<Order['refund']>['status'] | 'due') {
  if (cause === 'event-cancelled') return 'cancelled';
  if (cause !== 'refunded') return 'late';
  return status === 'done' ? 'sent' : 'promised';
}

function describeMintFailure({ reason, message }: Order['fulfilment']) {
  if (!reason) return undefined;
  const { buyer, organizer } = orders.notMinted;
  const has = <Texts extends object>(texts: Texts, key: PropertyKey): key is keyof Texts => key in texts;
  return {
    explanation: t(`notMinted.buyer.${has(buyer, reason) ? reason : 'other'}`),
    organizer:
      has(organizer, reason) && reason !== 'other'
        ? t(`notMinted.organizer.${reason}`)
        : message
          ? t('notMinted.organizer.otherMessage', { message })
          : t('notMinted.organizer.other'),
  };
}

function describeTickets(
  { fulfilment, totalAmount }: Order,
  status: Exclude<Order['fulfilment']['status'], 'refund-due'>,
  event?: OrderEvent,
): OrderDescription {
  // The event's tickets are minted, but the buyer has no wallet.
  const isWithoutWallet = status === 'not-needed' && event !== undefined && event.contractAddress !== null;
  const key = isWithoutWallet ? 'withoutWallet' : status;
  const failure = describeMintFailure(fulfilment);
  const explanation = t(`paid.${key}.explanation`);
  return {
    label: t(`paid.${key}.label`),
    tone: 'good',
    heading: t(totalAmount === 0 ? 'paid.freeHeading' : 'paid.heading'),
    explanation: failure ? `${explanation} ${failure.explanation}` : explanation,
    organizer: failure ? failure.organizer : t(`paid.${key}.organizer`),
  };
}
