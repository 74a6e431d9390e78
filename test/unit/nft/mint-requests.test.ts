import { describe, expect, it } from 'vitest';
import { getChain } from '../../../shared/chain/chains.ts';
import {
  groupIntoBatches,
  isReadyForNonce,
  type MintRequest,
} from '../../../shared/nft/minting/mint-requests.ts';
import {
  checkDelaySeconds,
  selfCheckPeriodMilliseconds,
  sweepMilliseconds,
} from '../../../shared/nft/nonce/check-nonce.ts';
import type { Order } from '../../../shared/orders/order.ts';

let orderCount = 0;

function createRequest(
  orderFields: Partial<Order> = {},
  requestFields: Partial<MintRequest> = {},
): MintRequest {
  const order = { id: `order${orderCount++}`, quantity: 1, ...orderFields } as Order;
  const event = { organizerId: 'olga', eventTitle: 'Drill' };
  const { quantity } = order;
  return {
    order,
    quantity,
    chainId: 137,
    contract: '0xa',
    to: '0xb',
    orderKey: '0x0',
    ...event,
    ...requestFields,
  };
}

const batchSizes = (requests: MintRequest[]) => groupIntoBatches(requests).map(({ length }) => length);

describe('a batch of orders', () => {
  it('has orders of one contract on one chain', () => {
    const requests = [
      createRequest(),
      createRequest({}, { contract: '0xc' }),
      createRequest(),
      createRequest({}, { chainId: 1 }),
    ];
    expect(batchSizes(requests)).toEqual([2, 1, 1]);
  });

  it('has at most 40 orders', () => {
    expect(batchSizes(Array.from({ length: 85 }, () => createRequest()))).toEqual([40, 40, 5]);
  });

  it('has at most 2,000 tickets, unless one order has more', () => {
    const quantities = [1_500, 500, 1, 5_000, 1_999, 1];
    expect(batchSizes(quantities.map((quantity) => createRequest({ quantity })))).toEqual([2, 1, 1, 2]);
  });

  it('excludes orders that must be minted alone', () => {
    expect(batchSizes([createRequest(), createRequest({ unbatched: true }), createRequest()])).toEqual([
      2, 1,
    ]);
  });

  it('contains each order once', () => {
    const requests = Array.from({ length: 123 }, (_, index) => createRequest({ quantity: 1 + (index % 90) }));
    const ids = groupIntoBatches(requests).flatMap((batch) => batch.map(({ order }) => order.id));
    expect(ids.toSorted()).toEqual(requests.map(({ order }) => order.id).toSorted());
  });
});

describe('an order', () => {
  const readyOrder = {
    paymentStatus: 'COMPLETED',
    holdsInventory: true,
    fulfilmentStatus: 'queued',
  } as Order;

  it('is ready for a nonce when it is paid, holds its tickets, is queued and has no nonce', () => {
    expect(isReadyForNonce(readyOrder)).toBe(true);
  });

  it.each([
    ['not paid', { paymentStatus: 'PENDING' }],
    ['without its tickets', { holdsInventory: false }],
    ['already minting', { fulfilmentStatus: 'minting' }],
    ['bound to a nonce', { mint: { chainId: 1, signer: '0xa', nonce: 0 } }],
  ] as const)('is not ready for a nonce while it is %s', (_what, change) => {
    expect(isReadyForNonce({ ...readyOrder, ...change } as Order)).toBe(false);
  });
});

const fastChain = getChain(137);
const slowChain = getChain(1);

describe('the checks of a nonce', () => {
  it('start when the transaction should be final, follow at intervals that grow with its age, and then once a minute', () => {
    expect(checkDelaySeconds(fastChain, 0)).toBe(5);
    expect(checkDelaySeconds(fastChain, 3_000)).toBe(2);
    expect(checkDelaySeconds(fastChain, 20_000)).toBe(10);
    expect(checkDelaySeconds(fastChain, 600_000)).toBe(60);
    expect(checkDelaySeconds(slowChain, 0)).toBe(900);
    expect(checkDelaySeconds(slowChain, 900_000)).toBe(450);
  });

  it('are scheduled by delayed messages until the sweep takes over', () => {
    expect(selfCheckPeriodMilliseconds(fastChain)).toBe(sweepMilliseconds);
    expect(selfCheckPeriodMilliseconds(slowChain)).toBe(1_800_000);
  });
});

describe('a chain that is not listed in chains.ts', () => {
  it('uses the finalized tag of its nodes', () => {
    expect(getChain(424242)).toMatchObject({ id: 424242, finality: 'finalized' });
  });
});
