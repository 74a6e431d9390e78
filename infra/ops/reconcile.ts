import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countTickets } from '../../shared/catalog/inventory/inventory.ts';
import { codeCounter } from '../../shared/catalog/inventory/store.ts';
import { heldByOffer, toEntry } from '../../shared/catalog/waiting-list/entry.ts';
import { totalWithFee } from '../../shared/core/money.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { heldItems, type Order, type OrderItem, openCountOf, toOrder } from '../../shared/orders/order.ts';
import { findLedgerDifferences } from './reconcile-ledger.ts';
import { type RawItem, readExport, scanTable, setTableEnvironment } from './table.ts';

/** A count, or an amount in minor units, that differs from the recomputed one. */
export interface Difference {
  subject: string;
  expected: number | bigint;
  found: number | bigint;
}

type FindDifferences = (read: () => Promise<RawItem[]>) => Promise<Difference[]>;

const secondReadDelayMilliseconds = 5_000;

export const reconcileInventory = (args: string[]) =>
  reconcile(args, findInventoryDifferences, 'The inventory is consistent.');
export const reconcileLedger = (args: string[]) =>
  reconcile(args, findLedgerDifferences, 'The ledger is consistent.');
export const reconcilePromoCodes = (args: string[]) =>
  reconcile(args, findCodeDifferences, 'The uses of codes are consistent.');

/**
 * Reconciles an export of the table (`--export <folder>`), or the table itself. Prints the differences, and exits with
 * 1 when there are any.
 * @param successMessage the line to print when there are no differences
 */
async function reconcile(
  args: string[],
  findDifferences: FindDifferences,
  successMessage: string,
): Promise<void> {
  const folder = parseArgs({ args, options: { export: { type: 'string' } } }).values.export;
  if (folder === undefined) setTableEnvironment();
  const differences = await (folder === undefined
    ? reconcileTable(findDifferences)
    : findDifferences(() => readExport(folder)));
  for (const { subject, expected, found } of differences) {
    console.log(`${subject}: expected ${expected}, found ${found}`);
  }
  console.log(differences.length === 0 ? successMessage : `${differences.length} differences.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

/**
 * Reconciles a table in use. A scan is not a snapshot, so a change during the scan may appear as a difference. If there
 * are differences, reads the table again, and returns only the differences of both reads.
 */
async function reconcileTable(findDifferences: FindDifferences): Promise<Difference[]> {
  const first = await findDifferences(scanTable);
  if (first.length === 0) return [];
  await setTimeout(secondReadDelayMilliseconds);
  const subjects = new Set(first.map(({ subject }) => subject));
  return (await findDifferences(scanTable)).filter(({ subject }) => subjects.has(subject));
}

/**
 * Compares every inventory counter with the orders. A scan is not a snapshot, so an order that changes during the
 * reconciliation may appear as a difference.
 */
export async function findInventoryDifferences(read = scanTable): Promise<Difference[]> {
  const items = await read();
  const events = items.filter(({ sk }) => sk === 'EVENT');
  const holdingOrders = items
    .filter(({ sk, holdsInventory }) => sk === 'ORDER' && holdsInventory)
    .map(toOrder)
    .map((order) => ({ ...order, items: heldItems(order) }));
  const differences = [
    ...events.flatMap((event) => checkEvent(event, items, holdingOrders)),
    ...checkBuyers(items, holdingOrders),
    ...items.filter(({ sk }) => sk === 'ORDER').map(checkOrder),
    ...items
      .filter(({ sk, available }) => sk === 'INVENTORY' && available < 0)
      .map(({ pk, available }) => ({ subject: `${pk} below zero`, expected: 0, found: available })),
  ];
  return differences.filter(({ expected, found }) => expected !== found);
}

/**
 * Checks that the free, held, offered and sold tickets add up to each tier's quantity, and to the total supply if the event has
 * its own pool.
 * @param holdingOrders the orders that hold tickets
 */
function checkEvent(event: RawItem, items: RawItem[], holdingOrders: Order[]): Difference[] {
  // Listed seats are sold to the order that lists them until the one that takes them is paid.
  const orders = holdingOrders
    .filter(({ eventId }) => eventId === event.id)
    .map((order) => ({ ...order, items: order.items.map((item) => withoutListed(item, order)) }));
  const free = (pool: string) =>
    sum(
      items.filter(({ pk }) => pk.startsWith(`INVENTORY#${event.id}#${pool}#`)).map((item) => item.available),
    );
  const offers = items.filter(({ sk, eventId }) => sk.startsWith('OFFERED#') && eventId === event.id);
  const offered = (tierId?: string) =>
    sum(
      offers.map((place) =>
        tierId === undefined || place.tierId === tierId ? heldByOffer(toEntry(place)) : 0,
      ),
    );
  const tiers = event.tiers.map((tier: RawItem) => ({
    subject: `event ${event.id} tier ${tier.id}: free + held, offered or sold`,
    expected: tier.quantity,
    found: free(tier.id) + offered(tier.id) + sum(orders.map((order) => quantityOf(order, tier.id))),
  }));
  const heldOrSold = sum(orders.map(({ items }) => countTickets(items)));
  const eventDifference = {
    subject: `event ${event.id}: free + held, offered or sold`,
    expected: event.totalSupply,
    found: free('EVENT') + offered() + heldOrSold,
  };
  return event.supplyShards > 0 ? [...tiers, eventDifference] : tiers;
}

/** Checks the buyers' counters against the sums of their orders that hold tickets. A missing counter is 0. */
function checkBuyers(items: RawItem[], holdingOrders: Order[]): Difference[] {
  const buyers = new Map<string, RawItem>(
    items.filter(({ sk }) => sk === 'BUYER').map((buyer) => [buyer.pk, buyer]),
  );
  const counted = holdingOrders.filter(isCountedForBuyer);
  const orders = Map.groupBy(counted, ({ eventId, buyer }) => keys.buyer(eventId, buyer).pk);
  return [...new Set([...buyers.keys(), ...orders.keys()])].flatMap((pk) =>
    checkBuyer(buyers.get(pk) ?? { pk }, orders.get(pk) ?? []),
  );
}

/** @param orders the buyer's orders of the event that hold tickets */
function checkBuyer(buyer: RawItem, orders: Order[]): Difference[] {
  const [, eventId, hash] = buyer.pk.split('#');
  const storedTiers = Object.keys(buyer).filter((name) => name.startsWith('tier_'));
  const orderedTiers = orders.flatMap(({ items }) => items.map(({ tierId }) => `tier_${tierId}`));
  return [...new Set(['total', ...storedTiers, ...orderedTiers])].map((name) => ({
    subject: `buyer ${hash} of event ${eventId}: ${name}`,
    expected: sum(
      orders.map((order) =>
        name === 'total' ? countTickets(order.items) : quantityOf(order, name.slice('tier_'.length)),
      ),
    ),
    found: buyer[name] ?? 0,
  }));
}

/**
 * Checks whether an order holds its tickets. A PENDING or COMPLETED order must, a FAILED one must not. A COMPLETED
 * order that is refunded or due for a refund may or may not hold them.
 */
function checkOrder(order: RawItem): Difference {
  const eitherIsRight = order.fulfilmentStatus === 'refund-due' || order.refund !== undefined;
  const found = Number(order.holdsInventory);
  const expected =
    order.paymentStatus === 'FAILED' ? 0 : order.paymentStatus === 'COMPLETED' && eitherIsRight ? found : 1;
  return { subject: `order ${order.id} holds its tickets`, expected, found };
}

/** The tickets and the code of a guest's order are counted once it is paid. */
const isCountedForBuyer = (order: Order) => openCountOf(order) !== 'guest';

/** Returns an item with the tickets that are of the inventory. */
function withoutListed(item: OrderItem, { backedBy, takenOffer }: Order): OrderItem {
  const listed = takenOffer?.tierId === item.tierId ? (backedBy?.quantity ?? 0) : 0;
  return { ...item, quantity: item.quantity - listed };
}

const quantityOf = ({ items }: Order, wanted: string) =>
  sum(items.map(({ tierId, quantity }) => (tierId === wanted ? quantity : 0)));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * Recounts the uses of every code from the orders that hold their tickets, per code and per buyer, and checks the
 * amounts of orders with codes. A scan is not a snapshot, so an order that changes during the reconciliation may appear
 * as a difference.
 */
export async function findCodeDifferences(read = scanTable): Promise<Difference[]> {
  const items = await read();
  const ordersWithCode = items.filter(({ sk, redemption }) => sk === 'ORDER' && redemption).map(toOrder);
  const holdingOrders = ordersWithCode.filter(({ holdsInventory }) => holdsInventory);
  const codes = items.filter(({ sk }) => sk.startsWith('CODE#'));
  return [
    ...codes.flatMap((code) => checkCode(code, holdingOrders)),
    ...items.filter(({ sk }) => sk === 'BUYER').flatMap((buyer) => checkCodesOfBuyer(buyer, holdingOrders)),
    ...ordersWithCode.map(checkTotal),
    ...holdingOrders
      .filter(({ redemption }) => redemption?.isCounted)
      .map((order) => checkCodeExists(order, codes)),
  ].filter(({ expected, found }) => expected !== found);
}

function checkCode(code: RawItem, holdingOrders: Order[]): Difference[] {
  const countedOrders = holdingOrders.filter(
    ({ eventId, redemption }) =>
      eventId === code.eventId && redemption?.code === code.code && redemption?.isCounted,
  );
  const overruns = countedOrders.filter(({ redemption }) => redemption?.isOverLimit);
  const compare = (subject: string, expected: bigint, found: unknown) => ({
    subject: `code ${code.code} of event ${code.eventId}: ${subject}`,
    expected,
    found: BigInt(found as number),
  });
  return [
    compare('uses', BigInt(countedOrders.length), code.uses),
    compare('totalDiscount', totalDiscount(countedOrders), code.totalDiscount),
    compare('overLimit', BigInt(overruns.length), code.overLimit),
  ];
}

/** Checks a buyer's counters of codes against their orders that hold tickets. */
function checkCodesOfBuyer(buyer: RawItem, holdingOrders: Order[]): Difference[] {
  const [, eventId, hash] = buyer.pk.split('#');
  const ordersOfBuyer = holdingOrders
    .filter(isCountedForBuyer)
    .filter((order) => order.eventId === eventId && order.buyer === hash);
  const orderCounters = ordersOfBuyer.map(({ redemption }) => codeCounter(redemption?.code ?? ''));
  const storedCounters = Object.keys(buyer).filter((name) => name.startsWith('code_'));
  return [...new Set([...storedCounters, ...orderCounters])].map((name) => ({
    subject: `buyer ${hash} of event ${eventId}: ${name}`,
    expected: BigInt(orderCounters.filter((counter) => counter === name).length),
    found: BigInt(buyer[name] ?? 0),
  }));
}

/** Checks that an order's total is its discounted price (`subtotal`) plus the fee on it, unless the organizer pays that. */
function checkTotal({ id, subtotal, totalAmount, organizerFee }: Order): Difference {
  return {
    subject: `order ${id}: total`,
    expected: organizerFee === undefined ? totalWithFee(subtotal) : subtotal,
    found: totalAmount,
  };
}

/** Checks that the code of an order exists. */
function checkCodeExists({ id, eventId, redemption }: Order, codes: RawItem[]): Difference {
  const found = codes.filter((code) => code.eventId === eventId && code.code === redemption?.code);
  return { subject: `order ${id}: its code`, expected: 1n, found: BigInt(found.length) };
}

const totalDiscount = (orders: Order[]) => orders.reduce((total, { discount }) => total + discount, 0n);
