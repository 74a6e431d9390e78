import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  absent,
  allows,
  defineMachine,
  expectUnchanged,
  transition,
} from '../../../shared/core/state-machine.ts';
import { toCondition } from '../../../shared/dynamo/write.ts';
import { fulfilment, payment, refund } from '../../../shared/orders/lifecycle.ts';
import {
  cancellationNotification,
  holderCancellationNotification,
  purchaseNotification,
} from '../../../shared/orders/notifications.ts';
import {
  type FulfilmentReason,
  formatItem,
  type Order,
  paymentStatuses,
  reasonSentences,
  toOrder,
} from '../../../shared/orders/order.ts';
import { settle } from '../../../shared/orders/settlement/settle-order.ts';
import { changeOrder } from '../../../shared/orders/store.ts';
import { toOrderView } from '../../../shared/orders/views.ts';
import { buildEvent, creationTime } from '../catalog/event-fixtures.ts';

const at = '2026-11-21T13:00:00.000Z';
const refundFields = { kind: 'whole' as const, amount: 100n, attempts: 3, dueAt: at, at };
const order: Order = {
  id: 'cm5x2k9q0h3v7r1t8w4y6z0ab',
  userId: 'buyer',
  buyer: 'buyer',
  language: 'en',
  eventId: 'event',
  items: [{ tierId: 'tier', quantity: 2, unitPrice: 5_000n }],
  quantity: 2,
  currency: 'USD',
  subtotal: 10_000n,
  discount: 0n,
  totalAmount: 10_250n,
  paymentMethod: 'FIAT',
  gateway: 'gateway-a',
  reference: 'BOX-EVENT-1795000000000-7Q2WK9XD',
  customerEmail: 'ben@example.com',
  customerName: 'Ben',
  paymentStatus: 'PENDING',
  fulfilmentStatus: 'none',
  holdsInventory: true,
  shard: 0,
  createdAt: at,
  updatedAt: at,
  expiresAt: at,
};

function legalEvents(machine: typeof payment | typeof fulfilment | typeof refund) {
  const rows: readonly { event: string; from: string | readonly string[] }[] = machine.rows;
  return Object.fromEntries(
    machine.states.map((state) => [
      state,
      rows.filter(({ from }) => [from].flat().includes(state)).map(({ event }) => event),
    ]),
  );
}

describe('the lifecycle of an order', () => {
  it('has these events in each state of the payment', () => {
    expect(legalEvents(payment)).toEqual({
      PENDING: ['settle', 'fail'],
      FAILED: ['settleLate'],
      COMPLETED: [],
    });
  });

  it('has these events in each state of the fulfilment', () => {
    expect(legalEvents(fulfilment)).toEqual({
      none: ['queue', 'refuse', 'cancelEvent', 'refund'],
      queued: ['skip', 'bind', 'mint', 'fail', 'cancelEvent', 'refund'],
      minting: ['unbind', 'mint', 'fail', 'cancelEvent', 'refund'],
      minted: ['mint', 'fail', 'reissue', 'cancelEvent', 'refund'],
      reissuing: ['remint', 'keep', 'cancelEvent', 'refund'],
      'not-needed': ['requeue', 'cancelEvent', 'refund'],
      failed: ['requeue', 'cancelEvent', 'refund'],
      'refund-due': ['refund'],
    });
  });

  it('has these events in each state of the refund', () => {
    expect(legalEvents(refund)).toEqual({
      absent: ['begin', 'beginManual', 'beginSent', 'beginFree'],
      pending: ['attempt', 'complete', 'leaveToOperator', 'giveUp'],
      done: ['bounce', 'returnKept'],
      failed: ['complete', 'repeat'],
      manual: ['complete'],
    });
    expect(allows(refund, 'repeat', 'failed')).toBe(true);
    expect(allows(refund, 'repeat', 'done')).toBe(false);
  });
});

describe('a transition', () => {
  it('sets the state and its fields, and removes fields that do not belong to the new state', () => {
    expect(transition(payment, 'settle', { paymentTxId: 'tx', queuedAt: at }).set).toEqual({
      paymentStatus: 'COMPLETED',
      paymentTxId: 'tx',
      queuedAt: at,
      checkoutUrl: undefined,
      paymentReview: undefined,
    });
    expect(transition(refund, 'begin', { refund: refundFields }).set).toEqual({
      refund: { ...refundFields, status: 'pending' },
    });
  });

  it('is written only from a state of its row, while the expected fields are unchanged', () => {
    const bind = transition(fulfilment, 'bind', {
      mint: { chainId: 1, signer: '0x', nonce: 1 },
      mintingAt: at,
      mintTransactionHash: '0x',
    });
    expect(toCondition<Order>([bind], expectUnchanged(order, 'shard', 'refund'))).toEqual({
      when: [
        '#fulfilmentStatus = :expected0',
        '#paymentStatus = :expected1',
        '#holdsInventory = :expected2',
        'attribute_not_exists(#mint)',
        '#shard = :expected3',
        'attribute_not_exists(#refund)',
      ].join(' AND '),
      values: { expected0: 'queued', expected1: 'COMPLETED', expected2: true, expected3: 0 },
    });
    expect(toCondition([transition(refund, 'complete', { refund: refundFields })]).when).toBe(
      '#refund.#status IN (:expected0, :expected1, :expected2) AND #paymentStatus = :expected3',
    );
    expect(toCondition<Order>([], { refund: absent }).when).toBe('attribute_not_exists(#refund)');
  });

  // `npm run typecheck` fails when one of these lines compiles.
  it('does not compile when its event is misspelt, a field is missing, or a field may not be set', () => {
    const invalidCalls = () => {
      // @ts-expect-error no such event
      transition(payment, 'setle', { paymentTxId: 'tx', queuedAt: at });
      // @ts-expect-error an event of another machine
      transition(payment, 'queue');
      // @ts-expect-error a field is missing
      transition(payment, 'settle', { paymentTxId: 'tx' });
      // @ts-expect-error the fields are missing
      transition(payment, 'fail');
      // @ts-expect-error a reason that does not exist
      transition(payment, 'fail', { failureReason: 'bored', holdsInventory: false });
      // @ts-expect-error a field that the event does not set
      transition(fulfilment, 'queue', { blockchainTxHash: '0x' });
      // @ts-expect-error the wrong type
      transition(refund, 'begin', { refund: { ...refundFields, amount: '100' } });
      // @ts-expect-error states change by transitions only
      changeOrder(order.id, { fulfilmentStatus: 'minted' }, { unchanged: { paymentStatus: 'COMPLETED' } });
      // @ts-expect-error amounts never change
      changeOrder(order.id, { totalAmount: 0n }, { unchanged: { paymentStatus: 'COMPLETED' } });
      // @ts-expect-error a state that does not exist
      changeOrder(order.id, {}, { unchanged: { paymentStatus: 'PAID' } });
      defineMachine<Order>()('paymentStatus', paymentStatuses, [
        // @ts-expect-error a state that does not exist
        { from: 'PAID', event: 'fail', to: 'FAILED' },
      ]);
    };
    expect(invalidCalls).toBeTypeOf('function');
  });
});

describe('an order', () => {
  it('is parsed from its stored item, with amounts as bigint and without the keys', () => {
    const { shard: _, ...withoutShard } = order;
    const stored = {
      ...withoutShard,
      items: ['tier:2:5000'],
      totalAmount: 10_250,
      pk: 'ORDER#1',
      sk: 'ORDER',
      duePk: 'DUE#1',
      dueAt: at,
    };
    expect(toOrder(stored)).toEqual(order);
    const wei = 2n ** 70n;
    expect(
      toOrder({ ...stored, refund: { ...refundFields, status: 'done', amount: wei } }).refund?.amount,
    ).toBe(wei);
  });

  it('stores an item as a short text', () => {
    const orderItem = fc.record(
      {
        tierId: fc.stringMatching(/^[0-9a-z]{8}$/),
        quantity: fc.integer({ min: 1, max: 500 }),
        unitPrice: fc.bigInt({ min: 0n, max: 10n ** 24n }),
        discount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
        taxPercent: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
        isAddOn: fc.constant(true),
      },
      { requiredKeys: ['tierId', 'quantity', 'unitPrice'] },
    );
    fc.assert(
      fc.property(fc.array(orderItem, { minLength: 1 }), (items) => {
        expect(toOrder({ ...order, items: items.map(formatItem) }).items).toEqual(items);
      }),
    );
    expect(formatItem({ tierId: '7q2wk9xd', quantity: 2, unitPrice: 5_000n })).toBe('7q2wk9xd:2:5000');
  });

  it.each([
    ['paymentStatus', 'PAID'],
    ['totalAmount', 0.5],
    ['items', ['tier:2:half']],
    ['refund', { status: 'lost' }],
    ['holdsInventory', undefined],
  ])('is not read from an item with a wrong %s', (name, value) => {
    expect(() => toOrder({ ...order, items: ['tier:2:5000'], [name]: value })).toThrow(name);
  });
});

const viewFulfilment = (change: Partial<Order>) => toOrderView({ ...order, ...change }, undefined).fulfilment;

describe('the reason of a fulfilment', () => {
  it('is a code with the stored message', () => {
    const fulfilmentMessage = 'The contract 0xa did not mint the tickets';
    expect(viewFulfilment({ fulfilmentReason: 'not-minted', fulfilmentMessage })).toMatchObject({
      reason: 'not-minted',
      message: fulfilmentMessage,
    });
  });

  it('has a default message when none is stored', () => {
    expect(viewFulfilment({ fulfilmentReason: 'event-cancelled' })).toMatchObject({
      reason: 'event-cancelled',
      message: 'The event was cancelled',
    });
  });

  it('is null when no reason is stored', () => {
    expect(viewFulfilment({})).toMatchObject({ reason: null, message: null });
  });
});

afterEach(() => vi.restoreAllMocks());

const settledOrder = {
  id: 'order',
  reference: 'BOX-EVENT-1795000000000-7Q2WK9XD',
  paymentStatus: 'COMPLETED',
  paymentTxId: 'first',
  isPosted: true,
} as Order;

/** Reports a payment of the order. @returns the lines of the log and the metrics */
async function settleAgain(transactionId: string): Promise<string[]> {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  }
  expect(await settle(settledOrder, { kind: 'paid', reference: settledOrder.reference, transactionId })).toBe(
    'repeated',
  );
  return lines;
}

it('logs the transaction of a second payment, which an operator has to send back', async () => {
  const [line = ''] = await settleAgain('second');
  expect(JSON.parse(line)).toMatchObject({
    level: 'WARN',
    message: 'Second payment for an order',
    orderId: 'order',
    transactionId: 'second',
  });
});

it('logs nothing about a repeated report of the same payment', async () => {
  expect(await settleAgain('first')).toEqual([]);
});

const timestamp = creationTime.toISOString();
const event = buildEvent();
const paidOrder = { id: 'order', userId: 'buyer', quantity: 2, totalAmount: 2_050n } as Order;
const freeOrder = { ...paidOrder, totalAmount: 0n };

it('promises the money back when an event is cancelled, but not for free tickets', () => {
  expect(cancellationNotification(paidOrder, event, timestamp).message).toBe(
    'Jazz was cancelled. You will get your money back.',
  );
  expect(cancellationNotification(freeOrder, event, timestamp).message).toBe('Jazz was cancelled.');
  expect(holderCancellationNotification(paidOrder, event, 'holder').message).toBe(
    'Jazz was cancelled. Your ticket is no longer valid, and its buyer gets the money back.',
  );
  expect(holderCancellationNotification(freeOrder, event, 'holder').message).toBe(
    'Jazz was cancelled. Your ticket is no longer valid.',
  );
});

it.each<FulfilmentReason>(['sold-out', 'not-on-sale', 'wallet-limit'])(
  'tells why a late payment was not accepted (%s)',
  (fulfilmentReason) => {
    const lateOrder = {
      ...paidOrder,
      fulfilmentStatus: 'refund-due' as const,
      fulfilmentReason,
      queuedAt: timestamp,
    };
    expect(purchaseNotification(lateOrder, event).message).toBe(
      `Your payment for 2 tickets to Jazz came in after the order had ended, and could no longer be accepted. ${reasonSentences[fulfilmentReason]}. You will get your money back.`,
    );
  },
);
