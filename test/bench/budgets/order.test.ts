import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { credentials, region } from '../../../infra/local/parts/aws.ts';
import { costPerMillion } from '../cost/order-cost.ts';
import { startFloor } from '../load/floor.ts';
import type { Call } from '../usage/meter.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import { meterRepeatedWebhook, meterSale, type SaleUsage } from '../usage/sale-usage.ts';

/** Budgets of an order of 2 tickets: its requests to the table and the queues, made by the built Lambda functions, and their cost. */

let service: MeteredService;
let unminted: SaleUsage;
let minted: SaleUsage;
let repeatedWebhook: Call[];
let mintedInBatches: SaleUsage;
let unmintedInBatches: SaleUsage;
let withCodeLimitedPerUser: SaleUsage;
let withCodeLimitedInTotal: SaleUsage;

beforeAll(async () => {
  service = await startMeteredService();
  unminted = await meterSale(service, { isMinted: false, orders: 1 });
  minted = await meterSale(service, { isMinted: true, orders: 1 });
  repeatedWebhook = await meterRepeatedWebhook(service);
  mintedInBatches = await meterSale(service, { isMinted: true, orders: 10 });
  unmintedInBatches = await meterSale(service, { isMinted: false, orders: 10 });
  withCodeLimitedPerUser = await meterSale(service, { isMinted: false, orders: 1, code: { maxPerUser: 1 } });
  withCodeLimitedInTotal = await meterSale(service, {
    isMinted: false,
    orders: 1,
    code: { maxUses: 10, budget: 1_000 },
  });
});
afterAll(() => service.stop());

const operations = (calls: Call[]) => calls.map(({ operation }) => operation);
const callsOf = ({ initialize, webhook, fulfil, mail, mintingSteps }: SaleUsage) =>
  [initialize, webhook, fulfil, mail, ...mintingSteps].flatMap(({ calls }) => calls);
/** Returns the requests to the table and their units per order, by operation. */
function sumByOperation(calls: Call[], orders: number) {
  const tableCalls = calls.filter(({ service: name }) => name === 'table');
  const byOperation = Object.groupBy(tableCalls, ({ operation }) => operation);
  return Object.fromEntries(
    Object.entries(byOperation).map(([operation, group = []]) => [
      operation,
      {
        requests: group.length / orders,
        readUnits: group.reduce((sum, { readUnits }) => sum + readUnits, 0) / orders,
        writeUnits: sumWriteUnits(group) / orders,
      },
    ]),
  );
}
const sumWriteUnits = (calls: Call[]) => calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
/** Returns the write units of one order, with the mail's outbox item, but without the sending of the mail. */
const writeUnitsPerOrder = (sale: SaleUsage) =>
  (sumWriteUnits(callsOf(sale)) - sumWriteUnits(sale.mail.calls)) / sale.orders;

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
    expect(operations(repeatedWebhook)).toEqual(['GetItem']);
  });

  it('of the fulfilment with nothing to mint: a read, a write of notifications, a transaction, mail messages', () => {
    expect(operations(unminted.fulfil.calls)).toEqual([
      'BatchGetItem',
      'BatchWriteItem',
      'TransactWriteItems',
      'SendMessageBatch',
    ]);
  });

  it('of sending a mail: the lease, reads for the mail’s text, the daily count, the sent state', () => {
    expect(operations(unminted.mail.calls)).toEqual([
      'UpdateItem',
      'GetItem',
      'BatchGetItem',
      'Query',
      'GetItem',
      'UpdateItem',
      'UpdateItem',
    ]);
  });

  it('of the fulfilment with tickets to mint: the same as with nothing to mint, and mint messages', () => {
    const expected = ['BatchGetItem', 'BatchWriteItem', 'TransactWriteItems'].concat([
      'SendMessageBatch',
      'SendMessageBatch',
    ]);
    expect(operations(minted.fulfil.calls)).toEqual(expected);
  });

  it('of the fulfilment of ten orders of one organizer: the same as for one order', () => {
    expect(operations(mintedInBatches.fulfil.calls)).toEqual(operations(minted.fulfil.calls));
  });

  it('of orders/initialize with a code: two more reads, made concurrently', () => {
    const expected = ['BatchGetItem', 'GetItem', 'GetItem', 'TransactWriteItems', 'UpdateItem'];
    expect(operations(withCodeLimitedPerUser.initialize.calls)).toEqual(expected);
    expect(operations(withCodeLimitedInTotal.initialize.calls)).toEqual(expected);
  });

  it('all succeed, and those to the table report the consumed units', () => {
    const calls = [unminted, minted, mintedInBatches, unmintedInBatches]
      .flatMap(callsOf)
      .concat(repeatedWebhook);
    expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
    const withoutUnits = calls.filter(
      ({ status, readUnits, writeUnits }) => status === 200 && readUnits + writeUnits === 0,
    );
    expect([...new Set(withoutUnits.map(({ service }) => service))]).toEqual(['queue']);
  });
});

it('the floor of the bench makes the same requests to the table as an order, with the same units', async () => {
  const { table, queue, provider, mail } = service.urls;
  vi.stubEnv('TABLE_NAME', 'boxoffice');
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', table);
  const floor = startFloor({ sandboxUrl: provider, sqsUrl: queue, mailUrl: mail });
  onTestFinished(() => {
    floor.stop();
    vi.unstubAllEnvs();
  });
  await floor.run({ concurrency: 1, seconds: 0.1, ordersPerBatch: 1 });
  service.takeCalls();
  const { completed } = await floor.run({ concurrency: 1, seconds: 0.5, ordersPerBatch: 1 });
  const floorCalls = service.takeCalls();
  expect(completed).toBeGreaterThan(0);
  expect(sumByOperation(floorCalls, completed)).toEqual(sumByOperation(callsOf(unminted), 1));
});

describe('write units of an order of 2 tickets', () => {
  // Three of these units are for the mail: its outbox item, in the ledger entry's transaction, and its entry in `byDue`.
  it('are at most 24 when nothing is minted', () => {
    expect(writeUnitsPerOrder(unminted)).toBeLessThanOrEqual(24);
  });

  it('are at most 38 when its tickets are minted', () => {
    const puts = minted.mintingSteps[1]?.calls.filter(({ operation }) => operation === 'PutItem');
    expect(puts).toHaveLength(2);
    // One of these two puts stores the contract's name. A worker makes it at most once in five minutes.
    expect(writeUnitsPerOrder(minted)).toBeLessThanOrEqual(38);
  });

  it('grow by two, in orders/initialize, with a code of limited uses and budget, and by none with other codes', () => {
    const initializeUnits = ({ initialize }: SaleUsage) =>
      initialize.calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    expect(initializeUnits(withCodeLimitedPerUser)).toBe(initializeUnits(unminted));
    expect(initializeUnits(withCodeLimitedInTotal)).toBe(initializeUnits(unminted) + 2);
    expect(writeUnitsPerOrder(withCodeLimitedInTotal)).toBe(writeUnitsPerOrder(unminted) + 2);
  });

  it('are fewer when ten are fulfilled together, with one ledger entry and one balance update', () => {
    expect(writeUnitsPerOrder(unmintedInBatches)).toBeLessThanOrEqual(20.6);
  });

  it('are fewer when ten are also minted together', () => {
    expect(writeUnitsPerOrder(mintedInBatches)).toBeLessThanOrEqual(30.2);
  });
});

describe('write units of sending a mail', () => {
  it('are at most 4 to an unconfirmed address', () => {
    expect(sumWriteUnits(unminted.mail.calls)).toBeLessThanOrEqual(4);
  });
});

describe('a million orders of 2 tickets, ten at a time', () => {
  it('cost at most $31 when nothing is minted', () => {
    expect(costPerMillion(unmintedInBatches).total).toBeLessThanOrEqual(31);
  });

  it('cost at most $39 when their tickets are minted', () => {
    expect(costPerMillion(mintedInBatches).total).toBeLessThanOrEqual(39);
  });
});

describe('while the mail service is down', () => {
  it('checkout, webhook, fulfilment and minting make the same requests to table, queues and providers', async () => {
    const sellAndCount = async () => {
      const before = service.countProviderRequests();
      const { initialize, webhook, fulfil, mintingSteps } = await meterSale(service, {
        isMinted: true,
        orders: 1,
      });
      return {
        // Sorted, since some requests run concurrently.
        steps: [initialize, webhook, fulfil, ...mintingSteps].map(({ calls }) => operations(calls).sort()),
        providerRequests: service.countProviderRequests() - before,
      };
    };
    const healthy = await sellAndCount();
    await service.stopMail();
    const duringOutage = await sellAndCount();
    expect(readFileSync(service.functionLog, 'utf8').split('"Mail not sent"')).toHaveLength(1 + 1);
    expect(duringOutage).toEqual(healthy);
    expect(healthy.providerRequests).toBeGreaterThan(0);
  });
});
