import type { Order } from 'boxoffice-client';

/** What an order's state means for people. */
interface Description {
  /** A few words, for lists. */
  label: string;
  /** For the order's own page: where it stands, and what happens next. */
  heading: string;
  explanation: string;
}

const failures: Record<NonNullable<Order['failureReason']>, string> = {
  expired: 'It was not paid in time, and the tickets are on sale again.',
  cancelled: 'It was cancelled, and the tickets are on sale again.',
  'payment-failed': 'The payment was declined. Nothing was charged, and the tickets are on sale again.',
  'gateway-failed': 'The payment could not be started. Nothing was charged.',
  'event-cancelled': 'The event was cancelled.',
};

const refunds: Record<NonNullable<Order['refund']>['status'], string> = {
  pending: 'The refund is on its way.',
  done: 'The payment was refunded.',
  failed: 'The refund is being made by hand, which may take some days.',
  manual: 'The refund is being made by hand, which may take some days.',
};

const minting = {
  label: 'Paid, being minted',
  explanation: 'Your tickets are being minted, which takes some seconds.',
};
const fulfilments: Record<Order['fulfilment']['status'], { label: string; explanation: string }> = {
  none: { label: 'Paid', explanation: minting.explanation },
  queued: minting,
  minting,
  minted: { label: 'Paid and minted', explanation: 'Your tickets are in your wallet.' },
  reissuing: {
    label: 'Paid, moving to another wallet',
    explanation: 'Your tickets are being minted again to another wallet. The codes below stay valid.',
  },
  'not-needed': {
    label: 'Paid',
    explanation: 'This order needs no wallet: show the codes below at the door.',
  },
  failed: {
    label: 'Paid, not minted yet',
    explanation:
      'Your tickets could not be minted yet. The organizer can have it tried again; your order stays paid.',
  },
  'refund-due': {
    label: 'To be refunded',
    explanation: 'It was paid too late, and no ticket was left. You will get your money back.',
  },
};

export function describeOrder(order: Order): Description {
  const { paymentStatus, paymentReview, failureReason, fulfilment, refund } = order;
  if (refund) {
    return {
      label: refund.status === 'done' ? 'Refunded' : 'To be refunded',
      heading: 'Your money goes back',
      explanation: refunds[refund.status],
    };
  }
  if (paymentStatus === 'FAILED') {
    const explanation = failureReason ? failures[failureReason] : '';
    return { label: 'Not paid', heading: 'This order was not paid', explanation };
  }
  if (fulfilment.reason === 'event-cancelled') {
    return {
      label: 'To be refunded',
      heading: 'The event was cancelled',
      explanation: 'You will get your money back.',
    };
  }
  if (paymentStatus === 'COMPLETED') {
    return { heading: 'Thank you, your order is paid', ...fulfilments[fulfilment.status] };
  }
  return {
    label: 'Waiting for payment',
    heading: 'Waiting for your payment',
    explanation: paymentReview
      ? 'A payment came in that does not fit the order. It is being looked at.'
      : 'This page changes by itself as soon as the payment provider has confirmed it.',
  };
}

/** Whether the order is going to change without anybody doing something here. */
export function isUnderway({ paymentStatus, fulfilment }: Order): boolean {
  if (paymentStatus === 'PENDING') return true;
  return (
    paymentStatus === 'COMPLETED' && ['none', 'queued', 'minting', 'reissuing'].includes(fulfilment.status)
  );
}

/** An order's state in a few words. */
export function OrderState({ order }: { order: Order }) {
  return <>{describeOrder(order).label}</>;
}
