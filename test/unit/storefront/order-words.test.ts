import { describe, expect, it } from 'vitest';
import type { Event, Order } from '../../../infra/client/api.ts';
import {
  describeOrder,
  isInProgress,
  type OrderDescription,
} from '../../../infra/storefront/src/order-words.ts';
import {
  failureReasons,
  fulfilmentReasons,
  fulfilmentStatuses,
  paymentStatuses,
  refundStatuses,
} from '../../../shared/orders/order.ts';

const at = '2031-06-01T20:00:00.000Z';
const published: Pick<Event, 'status' | 'contractAddress'> = { status: 'PUBLISHED', contractAddress: null };
const cancelled = { ...published, status: 'CANCELLED' } as const;

type Changes = Partial<Omit<Order, 'fulfilment'>> & { fulfilment?: Partial<Order['fulfilment']> };

function orderWith({ fulfilment, ...changes }: Changes): Order {
  const order: Order = {
    id: 'o',
    totalAmount: 102.5,
    subtotal: 100,
    discount: 0,
    fee: 2.5,
    code: null,
    items: [],
    quantity: 2,
    currency: 'USD',
    paymentMethod: 'FIAT',
    paymentStatus: 'COMPLETED',
    customerEmail: 'ben@example.com',
    customerName: 'Ben',
    walletAddress: null,
    language: 'en',
    seller: null,
    invoiceNumber: null,
    userId: 'u',
    eventId: 'e',
    tierId: 't',
    gateway: 'gateway-a',
    reference: 'BOX-A-1-B',
    gatewayReferences: {},
    checkoutUrl: null,
    payment: null,
    paidAmount: null,
    otherPayments: [],
    declinedAt: null,
    paymentTxId: null,
    blockchainTxHash: null,
    expiresAt: at,
    failureReason: null,
    paymentReview: null,
    returns: null,
    openReturns: [],
    refunds: [],
    refundedAmount: 0,
    fulfilment: {
      status: 'not-needed',
      reason: null,
      message: null,
      transactionHash: null,
      queuedAt: null,
      mintingAt: null,
      mintedAt: null,
      updatedAt: at,
      ...fulfilment,
    },
    reissue: null,
    refund: null,
    createdAt: at,
    updatedAt: at,
  };
  return { ...order, ...changes };
}

const reviews = [null, 'The amount is too low'];
/** All combinations of the fields that the texts depend on, including those that the lifecycle never reaches. */
const allOrders: Order[] = [
  ...reviews.map((paymentReview) => orderWith({ paymentStatus: 'PENDING', paymentReview })),
  ...[null, ...failureReasons].flatMap((failureReason) =>
    reviews.map((paymentReview) => orderWith({ paymentStatus: 'FAILED', failureReason, paymentReview })),
  ),
  ...fulfilmentStatuses.flatMap((status) =>
    [null, ...fulfilmentReasons].flatMap((reason) =>
      [null, ...refundStatuses].flatMap((refund) =>
        reviews.map((paymentReview) =>
          orderWith({
            paymentReview,
            fulfilment: { status, reason },
            refund: refund && { status: refund, amount: 102.5, at },
          }),
        ),
      ),
    ),
  ),
];

const textsOf = ({ label, heading, explanation, organizer }: OrderDescription) => [
  label,
  heading,
  explanation,
  organizer,
];

describe('the texts of an order', () => {
  it('exist for every state, and contain no names of states', () => {
    const names = new RegExp(
      `\\b(${[...paymentStatuses, ...fulfilmentReasons, ...failureReasons].filter((name) => name.includes('-') || name === name.toUpperCase()).join('|')})\\b`,
    );
    for (const order of allOrders) {
      const orderTexts = textsOf(describeOrder(order, published));
      expect(orderTexts.join(' ')).not.toMatch(names);
      expect(orderTexts.join(' ')).not.toMatch(/undefined|null|NaN|\s\s/);
      for (const text of orderTexts) expect(text).not.toBe('');
    }
  });

  it('never promise a ticket to an order without tickets', () => {
    const ordersWithoutTickets = allOrders.filter(
      ({ paymentStatus, refund, fulfilment }) =>
        paymentStatus !== 'COMPLETED' || refund || fulfilment.status === 'refund-due',
    );
    for (const order of ordersWithoutTickets) {
      const { tone, heading, explanation } = describeOrder(order, published);
      expect(tone).not.toBe('good');
      expect(`${heading} ${explanation}`).not.toMatch(/Thank you|codes below/);
    }
  });

  it.each(['PENDING', 'COMPLETED'] as const)(
    'have the heading "The event was cancelled" when the event of a %s order was cancelled',
    (paymentStatus) => {
      const { heading, tone } = describeOrder(orderWith({ paymentStatus }), cancelled);
      expect(tone).toBe('bad');
      expect(heading).toBe('The event was cancelled');
    },
  );

  it('have the tone "bad" when the event of a FAILED order was cancelled', () => {
    const order = orderWith({ paymentStatus: 'FAILED', failureReason: null });
    expect(describeOrder(order, cancelled).tone).toBe('bad');
  });

  it.each<[Changes, string, string]>([
    [
      { fulfilment: { status: 'refund-due', reason: 'event-cancelled' } },
      'The event was cancelled',
      'You have nothing to do',
    ],
    [
      {
        fulfilment: { status: 'refund-due', reason: 'event-cancelled' },
        refund: { status: 'done', amount: 102.5, at },
      },
      'The event was cancelled',
      'sent back the way you paid',
    ],
    [
      { fulfilment: { status: 'refund-due', reason: 'sold-out' } },
      'Your payment came too late',
      'the tickets were sold out',
    ],
    [
      {
        fulfilment: { status: 'refund-due', reason: 'refunded' },
        refund: { status: 'pending', amount: 102.5, at },
      },
      'Your money goes back to you',
      'on their way back',
    ],
    [
      {
        totalAmount: 0,
        fulfilment: { status: 'refund-due', reason: 'event-cancelled' },
        refund: { status: 'done', amount: 0, at },
      },
      'The event was cancelled',
      'nothing to refund',
    ],
    [
      { fulfilment: { status: 'failed', reason: 'contract-not-authorized' } },
      'Thank you, your order is paid',
      'The organizer has to prove',
    ],
    [{ paymentStatus: 'FAILED', failureReason: 'expired' }, 'The time to pay is over', 'on sale again'],
    [{ paymentStatus: 'FAILED', failureReason: 'cancelled' }, 'You cancelled this order', 'do not pay'],
    [
      { paymentStatus: 'FAILED', failureReason: 'payment-failed' },
      'Your payment was declined',
      'Nothing was charged',
    ],
    [{ paymentReview: 'Disputed' }, 'We are checking your payment', 'Your tickets stay valid'],
    [{ fulfilment: { status: 'minting' } }, 'Thank you, your order is paid', 'being minted to your wallet'],
    [{ fulfilment: { status: 'reissuing' } }, 'Thank you, your order is paid', 'to another wallet'],
  ])('depend on the order’s reason: %j', (changes, heading, sentence) => {
    const description = describeOrder(orderWith(changes), published);
    expect(description.heading).toBe(heading);
    expect(description.explanation).toContain(sentence);
  });

  it('mention the missing wallet when the event has a contract', () => {
    const withContract = { ...published, contractAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
    expect(describeOrder(orderWith({}), withContract).explanation).toContain(
      'enter its address in your account',
    );
    expect(describeOrder(orderWith({}), published).explanation).not.toContain('address');
  });
});

describe('a paid order', () => {
  it('is in progress after its event was cancelled, until its refund is done, failed or manual', () => {
    expect(isInProgress(orderWith({}), published)).toBe(false);
    expect(isInProgress(orderWith({}), cancelled)).toBe(true);
    for (const [status, expected] of [
      ['pending', true],
      ['done', false],
      ['failed', false],
      ['manual', false],
    ] as const) {
      const order = orderWith({ refund: { status, amount: 102.5, at } });
      expect(isInProgress(order, cancelled)).toBe(expected);
    }
  });
});
