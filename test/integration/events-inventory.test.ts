import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../shared/core/errors.ts';
import { getItem, readSnapshot } from '../../shared/dynamo/client.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { transact, write } from '../../shared/dynamo/write.ts';
import { changeEvent } from '../../shared/events/editing/change-event.ts';
import { createEvent } from '../../shared/events/editing/create-event.ts';
import { eventCreation } from '../../shared/events/editing/event-input.ts';
import { reviseEvent } from '../../shared/events/editing/revise-event.ts';
import { addTier, changeTier } from '../../shared/events/editing/tiers.ts';
import { type Event, inventoryOf, toEvent } from '../../shared/events/event.ts';
import type { EventView } from '../../shared/events/event-view.ts';
import { clearCancellationDue, getEvent } from '../../shared/events/store.ts';
import { validate } from '../../shared/http/validation.ts';
import { eventPool } from '../../shared/inventory/inventory.ts';
import {
  countPurchase,
  InventoryChanged,
  type PurchaseLimits,
  readInventory,
  releaseInventory,
  uncountPurchase,
} from '../../shared/inventory/store.ts';
import { reserveTickets, withEvent } from '../../shared/orders/checkout/reserve-tickets.ts';
import { type Backend, startBackend } from '../support/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
  process.env.STOCK_SHARD_SIZE = '5';
});
afterAll(() => backend.stop());

const organizer = 'org';
const users = Array.from({ length: 8 }, (_, index) => `user${index}`);
const noLimit = { maxPerWallet: 1_000, maxPerPerson: 1_000 };

interface Seats {
  userId: string;
  eventId: string;
  tierId: string;
  quantity: number;
  shard: number;
}

async function givenEvent(...quantities: number[]): Promise<EventView> {
  const tiers = quantities.map((quantity) => ({ name: 'T', price: 1, quantity }));
  const creation = { title: 'Jazz', venue: 'Club', startDate: '2099-05-01', tiers };
  return createEvent(validate(eventCreation, creation), organizer);
}

/** Reserves tickets as an order does, without writing the order. */
function take(
  userId: string,
  eventId: string,
  tierId: string,
  quantity: number,
  caps: PurchaseLimits = noLimit,
): Promise<Seats> {
  const purchase = { userId, eventId, tierId, quantity };
  return withEvent(eventId, async (event) => {
    const shard = await reserveTickets(inventoryOf(event), tierId, quantity, () => [
      countPurchase(purchase, caps),
    ]);
    return { ...purchase, shard };
  });
}

/** Releases tickets as a failed order does. */
function giveBack(seats: Seats): Promise<void> {
  return withEvent(seats.eventId, async (event) => {
    const sale = inventoryOf(event);
    const pools = sale.pools.map(({ id }) => id).filter((id) => id === seats.tierId || id === eventPool);
    await transact([...releaseInventory(sale, pools, seats.shard, seats.quantity), uncountPurchase(seats)]);
  });
}

/** Returns whether the action succeeded; false for refusals and contention. @throws every other error */
async function attempt(action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'conflict') return false;
    throw error;
  }
}

/** Compares the inventory with the buyers' counters in one snapshot. @returns undefined after a concurrent write */
async function audit(eventId: string): Promise<Event | undefined> {
  const { pools } = inventoryOf(await getEvent(eventId));
  const shardKeys = pools.flatMap(({ id, shards }) =>
    Array.from({ length: shards }, (_, shard) => keys.stock(eventId, id, shard)),
  );
  const buyerKeys = users.map((user) => keys.buyer(eventId, user));
  const items = await readSnapshot([keys.event(eventId), ...shardKeys, ...buyerKeys]);
  const event = items?.[0] && toEvent(items[0]);
  if (!event || JSON.stringify(inventoryOf(event).pools) !== JSON.stringify(pools)) return undefined;

  const shards = items.slice(1, 1 + shardKeys.length);
  const buyers = items.slice(1 + shardKeys.length);
  for (const pool of pools) {
    const own = shards.splice(0, pool.shards);
    const counter = pool.id === eventPool ? 'total' : `tier_${pool.id}`;
    const taken = buyers.reduce((sum, buyer) => sum + Number(buyer?.[counter] ?? 0), 0);
    const free = own.reduce((sum, shard) => sum + Number(shard?.available), 0);
    expect(free + taken).toBe(pool.capacity);
    expect(
      own.every((shard) => Number(shard?.available) >= 0 && shard?.saleVersion === event.saleVersion),
    ).toBe(true);
  }
  return event;
}

const below = (count: number) => Math.floor(Math.random() * count);

describe('caps', () => {
  it('hold for concurrent orders of one buyer', async () => {
    const { id, tiers } = await givenEvent(50, 50);
    const [a, b] = tiers.map((tier) => tier.id) as [string, string];
    const caps = { maxPerPerson: 4, maxPerWallet: 6 };
    const together = (tierId: string) =>
      Promise.all(Array.from({ length: 30 }, () => attempt(take('user0', id, tierId, 1, caps))));
    const [ofA, ofB] = await Promise.all([together(a), together(b)]);
    expect(ofA.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect(ofB.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect([...ofA, ...ofB].filter(Boolean)).toHaveLength(6);
    expect(await audit(id)).toBeDefined();
  });

  it('name the cap that was exceeded', async () => {
    const { id, tiers } = await givenEvent(50, 50);
    const [a, b] = tiers.map((tier) => tier.id) as [string, string];
    const caps = { maxPerPerson: 4, maxPerWallet: 6 };
    await expect(take('user0', id, a, 5, caps)).rejects.toThrow(
      'You can have at most 4 tickets of this tier',
    );
    const first = await take('user0', id, a, 3, caps);
    await expect(take('user0', id, a, 2, caps)).rejects.toThrow(
      'You can have at most 4 tickets of this tier',
    );
    await expect(take('user0', id, b, 4, caps)).rejects.toThrow(
      'You can have at most 6 tickets for this event',
    );
    await giveBack(first);
    await take('user0', id, b, 4, caps);
  });
});

describe('the inventory under concurrent changes', () => {
  it('keeps free + held or sold = capacity of every pool at every instant', async () => {
    const { id, tiers } = await givenEvent(40, 25);
    const held: Seats[] = [];
    let changes = 0;
    let isOver = false;

    const buys = async (user: string) => {
      for (let round = 0; round < 15; round++) {
        const tierId = tiers[below(tiers.length)]?.id ?? '';
        await attempt(take(user, id, tierId, 1 + below(4)).then((seats) => held.push(seats)));
        const [given] = below(2) ? held.splice(below(held.length), 1) : [];
        if (given) await giveBack(given);
      }
    };
    const organizes = async () => {
      for (let round = 0; round < 30; round++) {
        const tierId = tiers[below(tiers.length)]?.id ?? '';
        const change = [
          (event: Event) => reviseEvent(event, { totalSupply: 10 + below(80) }),
          (event: Event) => changeTier(event, tierId, { quantity: below(60) }),
          (event: Event) => changeTier(event, tierId, { price: 1 + below(9) }),
          (event: Event) =>
            addTier(event, { name: 'New', description: '', price: 1, quantity: 3, maxPerPerson: 1 }),
        ][round % 10 === 9 ? 3 : below(3)];
        if (change && (await attempt(changeEvent(id, organizer, change)))) changes++;
      }
    };
    const audits = async () => {
      let seen = 0;
      while (!isOver) if (await audit(id)) seen++;
      return seen;
    };

    const audited = audits();
    await Promise.all([...users.map(buys), organizes()]);
    isOver = true;
    expect(await audited).toBeGreaterThan(0);
    expect(await audit(id)).toBeDefined();
    expect(changes).toBeGreaterThan(10);
  });

  it('sells the last ticket of whichever shard has it', async () => {
    const { id, tiers } = await givenEvent(60);
    const tierId = tiers[0]?.id ?? '';
    const sold = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        attempt(take(users[index % users.length] as string, id, tierId, 2)),
      ),
    );
    expect(sold.filter(Boolean)).toHaveLength(30);
    expect(await readInventory(inventoryOf(await getEvent(id)))).toEqual([Array(12).fill(0)]);
  });

  it('counts no ticket twice in two concurrent changes', async () => {
    const { id, tiers } = await givenEvent(10, 10);
    await Promise.all(
      tiers.map((tier) =>
        changeEvent(id, organizer, (event) => changeTier(event, tier.id, { quantity: 50 })),
      ),
    );
    expect(await audit(id)).toMatchObject({ totalSupply: 100, saleVersion: 3 });
  });

  it('keeps both of two concurrent changes of an event', async () => {
    const { id, tiers } = await givenEvent(10, 10);
    await Promise.all(
      tiers.map((tier, index) =>
        changeEvent(id, organizer, (event) => changeTier(event, tier.id, { name: `Tier ${index}` })),
      ),
    );
    const event = await getEvent(id);
    expect(event.tiers.map(({ name }) => name)).toEqual(['Tier 0', 'Tier 1']);
    // A name does not affect the inventory, which is unchanged.
    expect(event.saleVersion).toBe(1);
  });

  it('reserves nothing after the terms of the sale changed', async () => {
    const { id, tiers } = await givenEvent(10);
    const old = inventoryOf(await getEvent(id));
    await changeEvent(id, organizer, (event) => reviseEvent(event, { ticketPrice: 99 }));
    await expect(reserveTickets(old, tiers[0]?.id ?? '', 1, () => [])).rejects.toThrow(InventoryChanged);
  });

  it('lists a cancelled event as due until its orders are handled', async () => {
    const { id } = await givenEvent(10);
    await changeEvent(id, organizer, (event) => reviseEvent(event, { status: 'CANCELLED' }));
    const { updatedAt } = await getEvent(id);
    expect(await getItem(keys.event(id))).toMatchObject({
      duePk: expect.stringMatching(/^DUE#/),
      dueAt: updatedAt,
    });
    await write(clearCancellationDue(id, updatedAt));
    expect(await getItem(keys.event(id))).not.toHaveProperty('dueAt');
  });
});
