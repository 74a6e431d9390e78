import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../infra/bench/usage/meter.ts';
import { type MeteredService, startMeteredService } from '../../infra/bench/usage/metered-service.ts';
import { meterOrder, type OrderUsage } from '../../infra/bench/usage/order-usage.ts';

/** What an order of 2 tickets may ask of the table and the queues, counted with the built functions. */

let service: MeteredService;
let unminted: OrderUsage;
let minted: OrderUsage;

beforeAll(async () => {
  service = await startMeteredService();
  unminted = await meterOrder(service, { mints: false });
  minted = await meterOrder(service, { mints: true });
});
afterAll(() => service.stop());

const operations = (calls: Call[]) => calls.map(({ operation }) => operation);

function writeUnits({ repeatedWebhook, ...steps }: OrderUsage): number {
  return Object.values(steps)
    .flat()
    .reduce((sum, call) => sum + call.writeUnits, 0);
}

describe('requests', () => {
  it('of orders/initialize: a read, a transaction, an update', () => {
    expect(operations(unminted.initialize)).toEqual(['BatchGetItem', 'TransactWriteItems', 'UpdateItem']);
  });

  it('of the first webhook: a read, a write, then a message', () => {
    expect(operations(unminted.webhook)).toEqual(['GetItem', 'UpdateItem', 'SendMessage']);
  });

  it('of a repeated webhook: a read', () => {
    expect(operations(unminted.repeatedWebhook)).toEqual(['GetItem']);
    expect(operations(minted.repeatedWebhook)).toEqual(['GetItem']);
  });

  it('of the fulfilment with nothing to mint: a read, a transaction', () => {
    expect(operations(unminted.fulfil)).toEqual(['BatchGetItem', 'TransactWriteItems']);
  });

  it('of the fulfilment with tickets to mint: the same, and a message', () => {
    expect(operations(minted.fulfil)).toEqual(['BatchGetItem', 'TransactWriteItems', 'SendMessage']);
  });

  it('all succeed', () => {
    const calls = [...Object.values(unminted), ...Object.values(minted)].flat();
    expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
    expect(
      calls.filter(
        ({ service, readUnits, writeUnits }) => service === 'table' && readUnits + writeUnits === 0,
      ),
    ).toEqual([]);
  });
});

describe('write units of an order of 2 tickets', () => {
  it('are at most 22 when nothing is minted', () => {
    expect(writeUnits(unminted)).toBeLessThanOrEqual(22);
  });

  it('are at most 36 when its tickets are minted', () => {
    expect(minted.confirmMint.filter(({ operation }) => operation === 'PutItem')).toHaveLength(2);
    expect(writeUnits(minted)).toBeLessThanOrEqual(36);
  });
});
