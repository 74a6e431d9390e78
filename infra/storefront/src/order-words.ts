import type { Event, Order } from 'boxoffice-client';
import { formatMoney } from './money.ts';

/**
 * An order's state in words, for its buyer and its organizer. When the API gets a new state, this file does not
 * compile until the records below describe it.
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
type Reason = NonNullable<Order['fulfilment']['reason']>;

/**
 * Describes an order's state. With `event`, also says that the event was cancelled, or how to have the tickets minted.
 */
export function describeOrder(order: Order, event?: OrderEvent): OrderDescription {
  const isCancelled = event?.status === 'CANCELLED' || order.fulfilment.reason === 'event-cancelled';
  if (order.paymentStatus === 'FAILED') return describeFailure(order);
  if (order.paymentStatus === 'PENDING') return isCancelled ? cancelledBeforePayment : describePending(order);
  if (order.refund || order.fulfilment.status === 'refund-due' || isCancelled) {
    return describeRefund(order, isCancelled);
  }
  if (order.paymentReview) return { ...paymentUnderReview, organizer: describeReview(order) };
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

const failures: Record<NonNullable<Order['failureReason']>, Omit<OrderDescription, 'tone'>> = {
  expired: {
    label: 'Not paid in time',
    heading: 'The time to pay is over',
    explanation:
      'Your tickets are on sale again, and you can order again. If you paid anyway, you get the tickets if enough are left and the event is not over, or your money back.',
    organizer: 'The buyer did not pay in time. The tickets are on sale again.',
  },
  cancelled: {
    label: 'Cancelled by the buyer',
    heading: 'You cancelled this order',
    explanation:
      'The tickets are on sale again. Please do not pay for this order any more: a payment that still arrives gets you the tickets only if they are sold at this price then, and is sent back otherwise.',
    organizer: 'The buyer cancelled the order before paying. The tickets are on sale again.',
  },
  'payment-failed': {
    label: 'Payment declined',
    heading: 'Your payment was declined',
    explanation:
      'Nothing was charged, and the tickets are on sale again. You can order again, and pay in another way.',
    organizer: 'The payment was declined. The tickets are on sale again.',
  },
  'gateway-failed': {
    label: 'Payment not started',
    heading: 'The payment could not be started',
    explanation:
      'The payment provider did not respond. Nothing was charged, and the tickets are on sale again. Please order again, or pay in another way.',
    organizer: 'The payment provider did not respond. The tickets are on sale again.',
  },
  'event-cancelled': {
    label: 'Event cancelled, not paid',
    heading: 'The event was cancelled',
    explanation:
      'This order was not paid, so there is nothing to refund. A payment that arrives later is sent back.',
    organizer: 'You cancelled the event before the buyer paid.',
  },
  'listing-ended': {
    label: 'Tickets kept by their holder',
    heading: 'These tickets are no longer for sale',
    explanation:
      'Their holder wanted to return them, and has kept them. If you have paid, you get other tickets if enough are left, or your money back.',
    organizer: 'The holder of the returned tickets has kept them before the buyer paid.',
  },
};

function describeFailure(order: Order): OrderDescription {
  if (order.paymentReview) {
    return {
      ...mismatchedPayment,
      tone: 'bad',
      explanation: `${mismatchedPayment.explanation} The tickets of this order are on sale again.`,
      organizer: describeReview(order),
    };
  }
  const unknownReason = {
    label: 'Not paid',
    heading: 'This order was not paid',
    explanation: 'The tickets are on sale again, and you can order again.',
    organizer: 'The order was not paid. The tickets are on sale again.',
  };
  return { tone: 'bad', ...(order.failureReason ? failures[order.failureReason] : unknownReason) };
}

const mismatchedPayment = {
  label: 'Payment being checked',
  heading: 'We are checking your payment',
  explanation:
    'A payment arrived that does not match this order, for example because the amount is too low. We complete the order or send the money back. Please do not pay again.',
};

const paymentUnderReview = {
  label: 'Paid, payment being checked',
  tone: 'waiting',
  heading: 'We are checking your payment',
  explanation:
    'The payment was disputed, or a part of it went back. Your tickets stay valid while we check it.',
} as const;

function describeReview({ paymentReview }: Order): string {
  return `The payment is being checked by the platform: ${paymentReview}.`;
}

const cancelledBeforePayment: OrderDescription = {
  label: 'Event cancelled, not paid',
  tone: 'bad',
  heading: 'The event was cancelled',
  explanation: 'Please do not pay for this order any more. A payment that still arrives is sent back.',
  organizer: 'You cancelled the event before the buyer paid.',
};

/** The buyer has submitted a transaction, which is not final yet. */
const confirmingPayment: OrderDescription = {
  label: 'Payment being confirmed',
  tone: 'waiting',
  heading: 'Waiting for your payment',
  explanation:
    'Your order is complete as soon as your transaction is final on the chain. Please do not pay again.',
  organizer: 'The buyer has sent a payment, which is not final on the chain yet.',
};

const declinedPayment: OrderDescription = {
  label: 'Payment declined, can be tried again',
  tone: 'waiting',
  heading: 'Your payment was declined',
  explanation:
    'Nothing was charged. Your tickets stay reserved until the time below: go to the payment and try again, for example with another card.',
  organizer: 'The payment was declined. The tickets are held for the buyer, who can try again.',
};

function describePending(order: Order): OrderDescription {
  if (order.paymentReview) return { ...mismatchedPayment, tone: 'waiting', organizer: describeReview(order) };
  if (order.payment?.transactionHash) return confirmingPayment;
  if (order.declinedAt) return declinedPayment;
  return {
    label: 'Waiting for payment',
    tone: 'waiting',
    heading: 'Waiting for your payment',
    explanation:
      order.paymentMethod === 'CRYPTO'
        ? 'Pay from your wallet as shown below. This page changes by itself once the payment is final.'
        : 'This page changes by itself as soon as the payment provider has confirmed the payment.',
    organizer: 'The buyer has not paid yet. The tickets are held for them meanwhile.',
  };
}

type RefundCause = Pick<OrderDescription, 'heading' | 'explanation' | 'organizer'>;

/** @param organizer why the tickets could not be bought any more, as a clause; `explanation` by default */
function tooLate(explanation: string, organizer = explanation): RefundCause {
  return {
    heading: 'Your payment came too late',
    explanation: `When it arrived, ${explanation}.`,
    organizer: `The payment arrived late, when ${organizer}.`,
  };
}

/** Why an order is refunded. A failed mint is no reason for a refund, since the tickets stay valid. */
const refundCauses: Partial<Record<Reason, RefundCause>> = {
  'event-cancelled': {
    heading: 'The event was cancelled',
    explanation: 'Your tickets are no longer valid.',
    organizer: 'You cancelled the event.',
  },
  'sold-out': tooLate('the tickets were sold out'),
  'too-few-left': tooLate('fewer tickets were left than you ordered', 'too few tickets were left'),
  'tier-limit': tooLate(
    'you had as many of these tickets as one person can have',
    'the buyer had as many of these tickets as one person can have',
  ),
  'wallet-limit': tooLate(
    'you had as many tickets to this event as one person can have',
    'the buyer had as many tickets to this event as one person can have',
  ),
  'not-on-sale': tooLate(
    'these tickets were no longer sold on the terms of your order',
    'they were no longer sold on the terms of the order',
  ),
  'sale-ended': tooLate('the sale had ended'),
  'code-used-up': tooLate('your discount code had been used up', 'the discount code had been used up'),
  'discount-expired': tooLate(
    'your discount code was no longer valid',
    'the discount code was no longer valid',
  ),
  'kyc-required': tooLate('your identity was not verified', 'the buyer’s identity was not verified'),
  other: tooLate('these tickets could not be bought any more'),
};
const refundedOrder = {
  heading: 'Your order was refunded',
  explanation: 'Its tickets are no longer valid.',
  organizer: 'The order was refunded, and its tickets are no longer valid.',
};

type RefundStatus = NonNullable<Order['refund']>['status'];
const refundProgress: Record<
  RefundStatus | 'due',
  (amount: string) => Pick<OrderDescription, 'label' | 'explanation' | 'organizer'>
> = {
  due: (amount) => ({
    label: 'To be refunded',
    explanation: `You get ${amount} back. You have nothing to do.`,
    organizer: `The buyer gets ${amount} back.`,
  }),
  pending: (amount) => ({
    label: 'Being refunded',
    explanation: `${amount} are on their way back to you. You have nothing to do.`,
    organizer: `${amount} are on their way back to the buyer.`,
  }),
  done: (amount) => ({
    label: 'Refunded',
    explanation: `${amount} were sent back the way you paid. Your bank may take some days to show them.`,
    organizer: `${amount} were sent back to the buyer.`,
  }),
  failed: (amount) => ({
    label: 'Refund delayed',
    explanation: `Sending ${amount} back has not worked yet. We are working on it, which may take some days.`,
    organizer: `The payment provider did not accept the refund of ${amount}. Refund the order again, or ask the platform to.`,
  }),
  manual: (amount) => ({
    label: 'To be refunded by hand',
    explanation: `${amount} will be sent back by hand, which may take some days. You have nothing to do.`,
    organizer: `The platform sends ${amount} back by hand, since the order was paid on a chain.`,
  }),
};

function describeRefund(order: Order, isCancelled: boolean): OrderDescription {
  const { refund, fulfilment, currency } = order;
  const reason = isCancelled ? 'event-cancelled' : fulfilment.reason;
  const cause = (reason && refundCauses[reason]) || refundedOrder;
  const amount = refund ? refund.amount : (order.paidAmount ?? order.totalAmount);
  const progress =
    amount === 0
      ? {
          label: 'Cancelled',
          explanation: 'The tickets were free, so there is nothing to refund.',
          organizer: '',
        }
      : refundProgress[refund?.status ?? 'due'](formatMoney(amount, currency));
  return {
    label: progress.label,
    tone: 'bad',
    // The heading of `refundedOrder` is true only after the money was sent.
    heading:
      cause === refundedOrder && refund?.status !== 'done' ? 'Your money goes back to you' : cause.heading,
    explanation: `${cause.explanation} ${progress.explanation}`,
    organizer: `${cause.organizer} ${progress.organizer}`.trim(),
  };
}

const showCodes = 'Show the codes below at the door.';
type TicketWords = Pick<OrderDescription, 'label' | 'tone' | 'explanation' | 'organizer'>;

const fulfilments: Record<Exclude<Order['fulfilment']['status'], 'refund-due'>, TicketWords> = {
  none: {
    label: 'Paid',
    tone: 'good',
    explanation: 'Your tickets appear here in a moment.',
    organizer: 'The order is paid.',
  },
  queued: {
    label: 'Paid, minting soon',
    tone: 'good',
    explanation: `${showCodes} The tickets are also minted to your wallet, which takes a moment.`,
    organizer: 'The order is paid. Its tickets are about to be minted.',
  },
  minting: {
    label: 'Paid, being minted',
    tone: 'good',
    explanation: `${showCodes} The tickets are also being minted to your wallet, which takes a moment.`,
    organizer: 'The order is paid. Its tickets are being minted.',
  },
  minted: {
    label: 'Paid and minted',
    tone: 'good',
    explanation: `Your tickets are in your wallet. ${showCodes}`,
    organizer: 'The order is paid, and its tickets are in the buyer’s wallet.',
  },
  reissuing: {
    label: 'Paid, moving to another wallet',
    tone: 'good',
    explanation: 'Your tickets are being minted again to another wallet. The codes below stay valid.',
    organizer: 'The tickets are being minted again to another wallet.',
  },
  'not-needed': {
    label: 'Paid',
    tone: 'good',
    explanation: `${showCodes} You need no wallet.`,
    organizer: 'The order is paid.',
  },
  failed: {
    label: 'Paid, not minted yet',
    tone: 'good',
    explanation: showCodes,
    organizer: 'The order is paid, but its tickets could not be minted.',
  },
};

/** The event's tickets are minted, but the buyer has no wallet. */
const withoutWallet: TicketWords = {
  label: 'Paid, no wallet to mint to',
  tone: 'good',
  explanation: `${showCodes} You need no wallet. To have the tickets in one, enter its address in your account, and ask the organizer to mint them.`,
  organizer:
    'The order is paid. Its tickets were not minted, since the buyer had no wallet. When the buyer has added one, mint again.',
};

const notMintedYet = 'The tickets could not be minted yet. The organizer can see why.';

/**
 * Why tickets were not minted, or not moved to another wallet: for the buyer, and what the organizer can do. For other
 * reasons the organizer gets the API's message.
 */
const mintFailures: Partial<Record<Reason, { explanation?: string; organizer: string }>> = {
  'chain-not-configured': {
    organizer: 'The event’s chain is not set up for minting. Ask the platform to set it up, then mint again.',
  },
  'contract-not-authorized': {
    explanation:
      'The organizer has to prove that the event’s ticket contract is theirs. Then your tickets are minted to your wallet. You have nothing to do.',
    organizer:
      'You have not proved that you administer the event’s contract. Prove it, or ask the platform to link the contract to you. Then the tickets are minted without further steps.',
  },
  'contract-unknown': { organizer: 'The event’s contract is not the platform’s ticket contract.' },
  'contract-refused': {
    organizer: 'The event’s contract refused to mint. Allow the platform to mint with it, then mint again.',
  },
  'too-much-gas': {
    organizer: 'Minting would have cost more gas than is allowed. Check your contract, or mint again later.',
  },
  'wrong-mint': {
    explanation: 'The tickets were not minted correctly. The organizer has to correct this.',
    organizer:
      'The contract minted other tickets than were ordered. Check who else can mint with it, then mint again.',
  },
  'not-reissued': {
    explanation: 'The tickets could not be moved to another wallet, and stay in the current one.',
    organizer: 'The tickets could not be moved to the other wallet, and stay in the current one.',
  },
};

function describeMintFailure({ reason, message }: Order['fulfilment']) {
  if (!reason) return undefined;
  const { explanation = notMintedYet, organizer } = mintFailures[reason] ?? {};
  return { explanation, organizer: organizer ?? `${message ?? 'Minting did not work'}. Mint again.` };
}

function describeTickets(
  { fulfilment, totalAmount }: Order,
  status: keyof typeof fulfilments,
  event?: OrderEvent,
): OrderDescription {
  const isWithoutWallet = status === 'not-needed' && event !== undefined && event.contractAddress !== null;
  const words = isWithoutWallet ? withoutWallet : fulfilments[status];
  const failure = describeMintFailure(fulfilment);
  return {
    ...words,
    heading: totalAmount === 0 ? 'Thank you, the tickets are yours' : 'Thank you, your order is paid',
    explanation: failure ? `${words.explanation} ${failure.explanation}` : words.explanation,
    organizer: failure ? failure.organizer : words.organizer,
  };
}
