import { type RawItem, scan } from './scan.ts';

/** Something that does not add up. */
export interface Difference {
  what: string;
  expected: number;
  found: number;
}

/**
 * Recomputes from the items alone what every counter of stock should say, and compares. Reads the whole table,
 * so it is an operator's command; orders that move while it reads may show up as differences.
 */
export async function auditStock(): Promise<Difference[]> {
  const items = await scan();
  const events = items.filter(({ sk }) => sk === 'EVENT');
  const seated = items.filter(({ sk, holdsSeat }) => sk === 'ORDER' && holdsSeat);
  const differences = [
    ...events.flatMap((event) => auditEvent(event, items, seated)),
    ...items.filter(({ sk }) => sk === 'BUYER').flatMap((buyer) => auditBuyer(buyer, seated)),
    ...items.filter(({ sk }) => sk === 'ORDER').map(auditOrder),
    ...items
      .filter(({ sk, available }) => sk === 'STOCK' && available < 0)
      .map(({ pk, available }) => ({ what: `${pk} below zero`, expected: 0, found: available })),
  ];
  return differences.filter(({ expected, found }) => expected !== found);
}

function auditEvent(event: RawItem, items: RawItem[], seated: RawItem[]): Difference[] {
  const orders = seated.filter(({ eventId }) => eventId === event.id);
  const free = (pool: string) =>
    sum(items.filter(({ pk }) => pk.startsWith(`STOCK#${event.id}#${pool}#`)).map((item) => item.available));
  const tiers = event.tiers.map((tier: RawItem) => ({
    what: `event ${event.id} tier ${tier.id}: free + taken`,
    expected: tier.quantity,
    found: free(tier.id) + sum(orders.filter(({ tierId }) => tierId === tier.id).map((o) => o.quantity)),
  }));
  const taken = sum(orders.map(({ quantity }) => quantity));
  const whole = {
    what: `event ${event.id}: free + taken`,
    expected: event.totalSupply,
    found: free('EVENT') + taken,
  };
  return event.supplyShards > 0 ? [...tiers, whole] : tiers;
}

/** A buyer's counters say what their orders that hold seats add up to. */
function auditBuyer(buyer: RawItem, seated: RawItem[]): Difference[] {
  const [, eventId, userId] = buyer.pk.split('#');
  const orders = seated.filter((order) => order.eventId === eventId && order.userId === userId);
  return Object.keys(buyer)
    .filter((name) => name === 'total' || name.startsWith('tier_'))
    .map((name) => ({
      what: `buyer ${userId} of event ${eventId}: ${name}`,
      expected: sum(
        orders.filter(({ tierId }) => name === 'total' || name === `tier_${tierId}`).map((o) => o.quantity),
      ),
      found: buyer[name],
    }));
}

/** PENDING holds a seat and FAILED none; so does COMPLETED, unless the payment is due back or was paid back. */
function auditOrder(order: RawItem): Difference {
  const mayBeSeatless = order.fulfilmentStatus === 'refund-due' || order.refund !== undefined;
  const found = Number(order.holdsSeat);
  const expected =
    order.paymentStatus === 'FAILED' ? 0 : order.paymentStatus === 'COMPLETED' && mayBeSeatless ? found : 1;
  return { what: `order ${order.id} holds a seat`, expected, found };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
