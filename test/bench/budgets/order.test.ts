import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costPerMillion } from '../cost/order-cost.ts';
import type { Call } from '../usage/meter.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import { meterRepeatedWebhook, meterSale, type SaleUsage } from '../usage/sale-usage.ts';

/** Budgets of an order of 2 tickets: its requests to the table and the queues, counted with the built functions. */

let service: MeteredService;
let unminted: SaleUsage;
let minted: SaleUsage;
let repeated: Call[];
let ten: SaleUsage;
let tenUnminted: SaleUsage;
let unlimited: SaleUsage;
let limited: SaleUsage;

beforeAll(async () => {
  service = await startMeteredService();
  unminted = await meterSale(service, { mints: false, orders: 1 });
  minted = await meterSale(service, { mints: true, orders: 1 });
  repeated = await meterRepeatedWebhook(service);
  ten = await meterSale(service, { mints: true, orders: 10 });
  tenUnminted = await meterSale(service, { mints: false, orders: 10 });
  unlimited = await meterSale(service, { mints: false, orders: 1, code: { maxPerUser: 1 } });
  limited = await meterSale(service, { mints: false, orders: 1, code: { maxUses: 10, budget: 1_000 } });
});
afterAll(() => service.stop());

const operations = (calls: Call[]) => calls.map(({ operation }) => operation);
const callsOf = ({ initialize, webhook, fulfil, mail, minting }: SaleUsage) =>
  [initialize, webhook, fulfil, mail, ...minting].flatMap(({ calls }) => calls);
const sumOf = (calls: Call[]) => calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
/** Includes the mail's outbox item, but not the sending of the mail. */
const writeUnitsOf = (sale: SaleUsage) => (sumOf(callsOf(sale)) - sumOf(sale.mail.calls)) / sale.orders;

describe('requests', () => {
  it('of orders/initialize: a read, a transaction, an update', () => {
    expect(operations(unminted.initialize.calls)).toEqual([
      'BatchGetItem',
      'TransactWriteItems',
      'UpdateItem',
    ]);
  });

  it('of the first webhook: a read, a write, then a message', () => {
    expect(operations(unminted.webhook.calls)).toEqual(['GetItem', 'UpdateItem', 'SendMessage']);
  });

  it('of a repeated webhook: a read', () => {
    expect(operations(repeated)).toEqual(['GetItem']);
  });

  it('of the fulfilment with nothing to mint: a read, a write of notifications, a transaction, mail messages', () => {
    expect(operations(unminted.fulfil.calls)).toEqual([
      'BatchGetItem',
      'BatchWriteItem',
      'TransactWriteItems',
      'SendMessageBatch',
    ]);
  });

  it('of a mail: lease, reads, the count of its day, and the mark', () => {
    expect(operations(unminted.mail.calls).filter((operation) => !/Get|Query/.test(operation))).toEqual([
      'UpdateItem',
      'UpdateItem',
      'PutItem',
      'UpdateItem',
    ]);
  });

  it('of the fulfilment with tickets to mint: the same, and messages to mint', () => {
    const expected = ['BatchGetItem', 'BatchWriteItem', 'TransactWriteItems'].concat([
      'SendMessageBatch',
      'SendMessageBatch',
    ]);
    expect(operations(minted.fulfil.calls)).toEqual(expected);
  });

  it('of the fulfilment of ten orders of one organizer: as many as for one order', () => {
    expect(operations(ten.fulfil.calls)).toEqual(operations(minted.fulfil.calls));
  });

  it('of orders/initialize with a code: two more reads, which run together', () => {
    const expected = ['BatchGetItem', 'GetItem', 'GetItem', 'TransactWriteItems', 'UpdateItem'];
    expect(operations(unlimited.initialize.calls)).toEqual(expected);
    expect(operations(limited.initialize.calls)).toEqual(expected);
  });

  it('all succeed and report the consumed units', () => {
    const calls = [unminted, minted, ten, tenUnminted].flatMap(callsOf).concat(repeated);
    // On the first mail of a day the counter does not exist, so its conditional update fails.
    const isExpected = ({ operation, status }: Call) =>
      status === 200 || (operation === 'UpdateItem' && status === 400);
    expect(calls.filter((call) => !isExpected(call))).toEqual([]);
    const free = calls.filter(
      ({ status, readUnits, writeUnits }) => status === 200 && readUnits + writeUnits === 0,
    );
    expect([...new Set(free.map(({ service }) => service))]).toEqual(['queue']);
  });
});

describe('write units of an order of 2 tickets', () => {
  // 3 are the mail in the outbox: an item of the posting's transaction, and its entry in the index of due work.
  it('are at most 24 when nothing is minted', () => {
    expect(writeUnitsOf(unminted)).toBeLessThanOrEqual(24);
  });

  it('are at most 38 when its tickets are minted', () => {
    const stored = minted.minting[1]?.calls.filter(({ operation }) => operation === 'PutItem');
    expect(stored).toHaveLength(2);
    // One of them records the contract's name, which a worker does every five minutes at most.
    expect(writeUnitsOf(minted)).toBeLessThanOrEqual(38);
  });

  it('of orders/initialize are those of one item more with a limited code, and no more with any other', () => {
    const unitsOf = ({ initialize }: SaleUsage) =>
      initialize.calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    expect(unitsOf(unlimited)).toBe(unitsOf(unminted));
    expect(unitsOf(limited)).toBe(unitsOf(unminted) + 2);
    expect(writeUnitsOf(limited)).toBe(writeUnitsOf(unminted) + 2);
  });

  it('are fewer when ten are fulfilled together, with one entry and one change of the balance', () => {
    expect(writeUnitsOf(tenUnminted)).toBeLessThanOrEqual(20.6);
  });

  it('are fewer when ten are minted together as well', () => {
    expect(writeUnitsOf(ten)).toBeLessThanOrEqual(30.2);
  });
});

describe('write units of sending a mail', () => {
  it('are at most 4, or 3 to an address that is confirmed', () => {
    expect(sumOf(unminted.mail.calls)).toBeLessThanOrEqual(4);
  });
});

describe('a million orders of 2 tickets, ten at a time', () => {
  it('cost at most $27 when nothing is minted', () => {
    expect(costPerMillion(tenUnminted).total).toBeLessThanOrEqual(27);
  });

  it('cost at most $35 when their tickets are minted', () => {
    expect(costPerMillion(ten).total).toBeLessThanOrEqual(35);
  });
});

describe('while the mail service is down', () => {
  it('checkout, webhook, fulfilment and minting make the same requests to table, queues and providers', async () => {
    const sell = async () => {
      const before = service.providerRequests();
      const { initialize, webhook, fulfil, minting } = await meterSale(service, { mints: true, orders: 1 });
      return {
        // Some run at the same time.
        steps: [initialize, webhook, fulfil, ...minting].map(({ calls }) => operations(calls).sort()),
        providerRequests: service.providerRequests() - before,
      };
    };
    const healthy = await sell();
    await service.stopMail();
    const down = await sell();
    expect(readFileSync(service.functionLog, 'utf8').split('"Mail not sent"')).toHaveLength(1 + 1);
    expect(down).toEqual(healthy);
    expect(healthy.providerRequests).toBeGreaterThan(0);
  });
});
