import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costPerMillion } from '../cost.ts';
import type { Call } from '../usage/meter.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import {
  createSale,
  httpEvent,
  initializeOrder,
  meterRepeatedWebhook,
  meterSale,
  readCheckInCodes,
  registerBuyer,
  type SaleUsage,
} from '../usage/sale-usage.ts';

/** Budgets of an order of 2 tickets, and of a check-in: their requests to the table and the queues, and the cost of an order. */

let service: MeteredService;
let unminted: SaleUsage;
let minted: SaleUsage;
let repeatedWebhook: Call[];
let mintedInBatches: SaleUsage;
let unmintedInBatches: SaleUsage;
let withCodeLimitedPerUser: SaleUsage;
let withCodeLimitedInTotal: SaleUsage;
let ofThreeItems: SaleUsage;

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
  ofThreeItems = await meterSale(service, { isMinted: false, orders: 1, tiers: 3 });
});
afterAll(() => service.stop());

const operations = (calls: Call[]) => calls.map(({ operation }) => operation);
const callsOf = ({ initialize, webhook, fulfil, mail, mintingSteps }: SaleUsage) =>
  [initialize, webhook, fulfil, mail, ...mintingSteps].flatMap(({ calls }) => calls);
const sumWriteUnits = (calls: Call[]) => calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
/** Returns the write units of one order, with the mail's outbox item, but without the sending of the mail. */
const writeUnitsPerOrder = (sale: SaleUsage) =>
  (sumWriteUnits(callsOf(sale)) - sumWriteUnits(sale.mail.calls)) / sale.orders;

describe('requests', () => {
  const fulfilment = ['BatchGetItem', 'TransactWriteItems', 'SendMessageBatch'];

  it.each<[string, () => Call[], string[]]>([
    [
      'orders/initialize',
      () => unminted.initialize.calls,
      ['BatchGetItem', 'TransactWriteItems', 'UpdateItem'],
    ],
    ['the first webhook', () => unminted.webhook.calls, ['GetItem', 'UpdateItem', 'SendMessage']],
    ['a repeated webhook', () => repeatedWebhook, ['GetItem']],
    ['fulfilment with nothing to mint', () => unminted.fulfil.calls, fulfilment],
    ['fulfilment with tickets to mint', () => minted.fulfil.calls, [...fulfilment, 'SendMessageBatch']],
    ['fulfilment of ten orders', () => mintedInBatches.fulfil.calls, [...fulfilment, 'SendMessageBatch']],
    [
      'sending a mail: the lease, the order with its event, the sent state',
      () => unminted.mail.calls,
      ['UpdateItem', 'BatchGetItem', 'UpdateItem'],
    ],
    ...[() => withCodeLimitedPerUser, () => withCodeLimitedInTotal].map(
      (sale): [string, () => Call[], string[]] => [
        'orders/initialize with a code',
        () => sale().initialize.calls,
        // The guess is counted before the code is read, and taken back.
        ['BatchGetItem', 'UpdateItem', 'GetItem', 'UpdateItem', 'TransactWriteItems', 'UpdateItem'],
      ],
    ),
  ])('of %s', (_operation, calls, expected) => {
    expect(operations(calls())).toEqual(expected);
  });

  it('are ten to the table for an order that is not minted, with its mail', () => {
    const toTable = callsOf(unminted).filter(({ service }) => service === 'table');
    expect(toTable).toHaveLength(10);
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

it('a check-in makes two reads and a transaction, or, when the code is used, a third read of who scanned it', async () => {
  const sale = await createSale(service, { price: 0 });
  const buyer = await registerBuyer(service, false);
  await initializeOrder(service, sale, buyer);
  await service.purge('fulfil-orders');
  const [code] = await readCheckInCodes(service, buyer);
  const scan = () =>
    service.invoke(
      'tickets-check-in',
      httpEvent('POST', '/api/tickets/check-in', { code, eventId: sale.event.id }, sale.organizerToken),
    );
  const { calls } = await scan();
  expect(operations(calls)).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
  // The seat and its entry in the event's list of check-ins, the order, and the event's admission count.
  expect(sumWriteUnits(calls)).toBeLessThanOrEqual(7);
  expect(operations((await scan()).calls)).toEqual(['BatchGetItem', 'BatchGetItem', 'GetItem']);
});

describe('write units of an order of 2 tickets', () => {
  // Three of these units are for the mail: its outbox item, in the ledger entry's transaction, and its entry in `byDue`.
  it('are at most 23 when nothing is minted', () => {
    expect(writeUnitsPerOrder(unminted)).toBeLessThanOrEqual(23);
  });

  it('are at most 34 when its tickets are minted', () => {
    const puts = minted.mintingSteps[1]?.calls.filter(({ operation }) => operation === 'PutItem');
    expect(puts).toHaveLength(2);
    // One of these two puts stores the contract's name. A worker makes it at most once in five minutes.
    expect(writeUnitsPerOrder(minted)).toBeLessThanOrEqual(34);
  });

  it('grow by two, in orders/initialize, with a code, and by two more with limited uses and budget', () => {
    const initializeUnits = ({ initialize }: SaleUsage) =>
      initialize.calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    expect(initializeUnits(withCodeLimitedPerUser)).toBe(initializeUnits(unminted) + 2);
    expect(initializeUnits(withCodeLimitedInTotal)).toBe(initializeUnits(unminted) + 4);
    expect(writeUnitsPerOrder(withCodeLimitedInTotal)).toBe(writeUnitsPerOrder(unminted) + 4);
  });

  it('grow by two for the inventory shard of each further tier, without another request', () => {
    expect(writeUnitsPerOrder(ofThreeItems)).toBe(writeUnitsPerOrder(unminted) + 2 * 2);
    expect(operations(callsOf(ofThreeItems))).toEqual(operations(callsOf(unminted)));
  });

  it('are fewer when ten are fulfilled together, with one ledger entry and one balance update', () => {
    expect(writeUnitsPerOrder(unmintedInBatches)).toBeLessThanOrEqual(19.6);
  });

  it('are fewer when ten are also minted together', () => {
    expect(writeUnitsPerOrder(mintedInBatches)).toBeLessThanOrEqual(26.2);
  });
});

describe('write units of sending a mail', () => {
  it('are at most 3', () => {
    expect(sumWriteUnits(unminted.mail.calls)).toBeLessThanOrEqual(3);
  });
});

describe('a million orders of 2 tickets, ten at a time', () => {
  it('cost at most $28.60 when nothing is minted', () => {
    expect(costPerMillion(unmintedInBatches).total).toBeLessThanOrEqual(28.6);
  });

  it('cost at most $34.60 when their tickets are minted', () => {
    expect(costPerMillion(mintedInBatches).total).toBeLessThanOrEqual(34.6);
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
      const [signing, ...recording] = mintingSteps;
      // Signing also records what it has read of the contract, once in five minutes.
      const signed = operations(signing?.calls ?? []).filter((operation) => operation !== 'UpdateItem');
      const others = [initialize, webhook, fulfil, ...recording].map(({ calls }) => operations(calls));
      return {
        // Sorted, since some requests run concurrently.
        steps: [signed, ...others].map((step) => step.sort()),
        providerRequests: service.countProviderRequests() - before,
      };
    };
    const healthy = await sellAndCount();
    await service.stopMail();
    const duringOutage = await sellAndCount();
    expect(readFileSync(service.functionLog, 'utf8')).toContain('"Mail not sent"');
    expect(duringOutage).toEqual(healthy);
    expect(healthy.providerRequests).toBeGreaterThan(0);
  });
});
