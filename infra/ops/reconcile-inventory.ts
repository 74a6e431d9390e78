import { keys } from '../../shared/dynamo/keys.ts';
import { type RawItem, scanTable } from './table.ts';

/** A count that differs from the recomputed one. */
export interface Difference {
  subject: string;
  expected: number;
  found: number;
}

/**
 * Compares every inventory counter with the orders. A scan is not a snapshot, so an order that changes during the
 * reconciliation may appear as a difference.
 */
export async function findInventoryDifferences(read = scanTable): Promise<Difference[]> {
  const items = await read();
  const events = items.filter(({ sk }) => sk === 'EVENT');
  const holdingOrders = items.filter(({ sk, holdsInventory }) => sk === 'ORDER' && holdsInventory);
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
 * Checks that the free, held and sold tickets add up to each tier's quantity, and to the total supply if the event has
 * its own pool.
 * @param holdingOrders the orders that hold tickets
 */
function checkEvent(event: RawItem, items: RawItem[], holdingOrders: RawItem[]): Difference[] {
  const orders = holdingOrders.filter(({ eventId }) => eventId === event.id);
  const free = (pool: string) =>
    sum(
      items.filter(({ pk }) => pk.startsWith(`INVENTORY#${event.id}#${pool}#`)).map((item) => item.available),
    );
  const tiers = event.tiers.map((tier: RawItem) => ({
    subject: `event ${event.id} tier ${tier.id}: free + held or sold`,
    expected: tier.quantity,
    found: free(tier.id) + sum(orders.filter(({ tierId }) => tierId === tier.id).map((o) => o.quantity)),
  }));
  const heldOrSold = sum(orders.map(({ quantity }) => quantity));
  const eventDifference = {
    subject: `event ${event.id}: free + held or sold`,
    expected: event.totalSupply,
    found: free('EVENT') + heldOrSold,
  };
  return event.supplyShards > 0 ? [...tiers, eventDifference] : tiers;
}

/** Checks the buyers' counters against the sums of their orders that hold tickets. A missing counter is 0. */
function checkBuyers(items: RawItem[], holdingOrders: RawItem[]): Difference[] {
  const buyers = new Map<string, RawItem>(
    items.filter(({ sk }) => sk === 'BUYER').map((buyer) => [buyer.pk, buyer]),
  );
  const partitions = holdingOrders.map(({ eventId, userId }) => keys.buyer(eventId, userId).pk);
  return [...new Set([...buyers.keys(), ...partitions])].flatMap((pk) =>
    checkBuyer(buyers.get(pk) ?? { pk }, holdingOrders),
  );
}

function checkBuyer(buyer: RawItem, holdingOrders: RawItem[]): Difference[] {
  const [, eventId, userId] = buyer.pk.split('#');
  const orders = holdingOrders.filter((order) => order.eventId === eventId && order.userId === userId);
  const storedTiers = Object.keys(buyer).filter((name) => name.startsWith('tier_'));
  const orderedTiers = orders.map(({ tierId }) => `tier_${tierId}`);
  return [...new Set(['total', ...storedTiers, ...orderedTiers])].map((name) => ({
    subject: `buyer ${userId} of event ${eventId}: ${name}`,
    expected: sum(
      orders.filter(({ tierId }) => name === 'total' || name === `tier_${tierId}`).map((o) => o.quantity),
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

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
