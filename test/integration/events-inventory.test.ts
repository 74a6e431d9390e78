import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertUser } from '../../shared/accounts/users/store.ts';
import { findEventJob } from '../../shared/catalog/event-jobs/store.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation, tierCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { addTier, changeTier, reviseEvent } from '../../shared/catalog/events/editing/revise-event.ts';
import { type Event, inventoryOf, maximumTiers, toEvent } from '../../shared/catalog/events/event.ts';
import type { EventView } from '../../shared/catalog/events/event-view.ts';
import { eventListQuery, listEvents } from '../../shared/catalog/events/list-events.ts';
import { getEvent } from '../../shared/catalog/events/store.ts';
import {
  demandOf,
  eventPool,
  maximumShards,
  planInventory,
  type TierQuantity,
} from '../../shared/catalog/inventory/inventory.ts';
import {
  changeInventory,
  countPurchase,
  InventoryChanged,
  type PurchaseLimits,
  readInventory,
  releaseInventory,
  uncountPurchase,
} from '../../shared/catalog/inventory/store.ts';
import type { StaffMember } from '../../shared/catalog/staff/staff.ts';
import { putMember } from '../../shared/catalog/staff/store.ts';
import { DomainError } from '../../shared/core/errors.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem, readSnapshot } from '../../shared/dynamo/read.ts';
import { transact, update, write } from '../../shared/dynamo/write.ts';
import { validate } from '../../shared/http/middleware.ts';
import {
  chooseShard,
  reserveTickets,
  retryOnInventoryChange,
} from '../../shared/orders/checkout/reserve-tickets.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { insertPerson } from '../support/shop.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
  process.env.STOCK_SHARD_SIZE = '5';
  const names = { email: 'organizer@example.com', name: 'Olga', role: 'ORGANIZER' as const };
  const user = {
    ...names,
    id: organizer,
    walletAddress: null,
    kycStatus: 'NONE' as const,
    emailVerified: true,
  };
  await write(insertUser(user, new Date().toISOString()));
});
afterAll(() => backend.stop());

const organizer = 'org';
const users = Array.from({ length: 8 }, (_, index) => `user${index}`);
const limitsOf = (tierIds: string[], perTier: number, perWallet: number): PurchaseLimits => ({
  maxPerPerson: new Map(tierIds.map((id) => [id, perTier])),
  maxPerWallet: perWallet,
});

interface Reservation {
  buyer: string;
  eventId: string;
  items: TierQuantity[];
  shard: number;
}

async function createEventWithTiers(...quantities: number[]): Promise<EventView> {
  const tiers = quantities.map((quantity) => ({ name: 'T', price: 1, quantity }));
  const creation = { title: 'Jazz', venue: 'Club', startDate: '2099-05-01', tiers };
  return createEvent(validate(eventCreation, creation), organizer);
}

/** Reserves tickets as an order does, without writing the order. */
function reserve(
  buyer: string,
  eventId: string,
  tierId: string,
  quantity: number,
  limits: PurchaseLimits = limitsOf([tierId], 1_000, 1_000),
): Promise<Reservation> {
  const reservation = { buyer, eventId, items: [{ tierId, quantity }], shard: chooseShard() };
  return retryOnInventoryChange(async () => {
    const inventory = inventoryOf(await getEvent(eventId));
    await reserveTickets(inventory, reservation, [countPurchase(reservation, limits)]);
    return reservation;
  });
}

/** Releases tickets as a failed order does. */
function release(reservation: Reservation): Promise<void> {
  return retryOnInventoryChange(async () => {
    const inventory = inventoryOf(await getEvent(reservation.eventId));
    await transact([
      ...releaseInventory(inventory, demandOf(inventory, reservation.items), reservation.shard),
      uncountPurchase(reservation),
    ]);
  });
}

/** Returns whether the action succeeded; false for a conflict. @throws any other error */
async function attempt(action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'conflict') return false;
    throw error;
  }
}

/**
 * Checks in one snapshot that free tickets and the buyers' counters add up to the capacity of each pool.
 * @returns the event; undefined after a concurrent write, which prevents the check
 */
async function auditInventory(eventId: string): Promise<Event | undefined> {
  const { pools } = inventoryOf(await getEvent(eventId));
  const shardKeys = pools.flatMap(({ id, shards }) =>
    Array.from({ length: shards }, (_, shard) => keys.inventoryShard(eventId, id, shard)),
  );
  const buyerKeys = users.map((user) => keys.buyer(eventId, user));
  const items = await readSnapshot([keys.event(eventId), ...shardKeys, ...buyerKeys]);
  const event = items?.[0] && toEvent(items[0]);
  if (!event || JSON.stringify(inventoryOf(event).pools) !== JSON.stringify(pools)) return undefined;

  const shards = items.slice(1, 1 + shardKeys.length);
  const buyers = items.slice(1 + shardKeys.length);
  for (const pool of pools) {
    const poolShards = shards.splice(0, pool.shards);
    const counter = pool.id === eventPool ? 'total' : `tier_${pool.id}`;
    const reserved = buyers.reduce((sum, buyer) => sum + Number(buyer?.[counter] ?? 0), 0);
    const free = poolShards.reduce((sum, shard) => sum + Number(shard?.available), 0);
    expect(free + reserved).toBe(pool.capacity);
    expect(
      poolShards.every((shard) => Number(shard?.available) >= 0 && shard?.saleVersion === event.saleVersion),
    ).toBe(true);
  }
  return event;
}

const randomBelow = (count: number) => Math.floor(Math.random() * count);

it('an order takes tickets from at most 88 shards, so that its transaction has at most 100 items', async () => {
  // given 96 shards of five tickets each
  const pools = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, capacity: 80, shards: 16 }));
  const inventory = { eventId: 'many-shards', version: 1, pools };
  await transact(changeInventory({ ...inventory, pools: [] }, 1, planInventory([], pools, [])));
  const order = (...quantities: number[]) => {
    const items = pools.map(({ id }, index) => ({ tierId: id, quantity: quantities[index] ?? 0 }));
    return reserveTickets(inventory, { items, shard: chooseShard() }, []);
  };

  await expect(order(75, 75, 75, 75, 75, 70)).rejects.toMatchObject({ kind: 'conflict', code: 'busy' });
  await order(75, 75, 75, 75, 70, 70);
  const available = await readInventory(inventory);
  expect(available.map((shards) => shards.reduce((sum, free) => sum + free))).toEqual([5, 5, 5, 5, 10, 10]);
});

it('an event with the most shards is created, and put on sale, in one transaction', async () => {
  const tiers = Array.from({ length: maximumTiers }, () => ({ name: 'T', price: 1, quantity: 80 }));
  const terms = { title: 'Jazz', description: 'All night', venue: 'Club', startDate: '2099-05-01', tiers };
  const queue = { opensAt: '2099-01-01T10:00:00Z', drawAt: '2099-01-01T11:00:00Z', perMinute: 1 };
  const creation = { ...terms, saleStart: queue.drawAt, queue, totalSupply: 1_000 };
  const { id } = await createEvent(validate(eventCreation, creation), organizer);
  const { pools } = inventoryOf(await getEvent(id));
  expect(pools.reduce((sum, { shards }) => sum + shards, 0)).toBe(maximumShards);
  for (const status of ['DRAFT', 'PUBLISHED'] as const)
    await changeEvent(id, organizer, (event) => reviseEvent(event, { status }));
});

describe('purchase limits', () => {
  it('are not exceeded by concurrent orders of one buyer', async () => {
    const { id, tiers } = await createEventWithTiers(50, 50);
    const [tierA, tierB] = tiers.map((tier) => tier.id) as [string, string];
    const limits = limitsOf([tierA, tierB], 4, 6);
    const reserveConcurrently = (tierId: string) =>
      Promise.all(Array.from({ length: 30 }, () => attempt(reserve('user0', id, tierId, 1, limits))));
    const [resultsOfA, resultsOfB] = await Promise.all([
      reserveConcurrently(tierA),
      reserveConcurrently(tierB),
    ]);
    expect(resultsOfA.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect(resultsOfB.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect([...resultsOfA, ...resultsOfB].filter(Boolean)).toHaveLength(6);
    expect(await auditInventory(id)).toBeDefined();
  });

  it('are named in the error when an order exceeds them', async () => {
    const { id, tiers } = await createEventWithTiers(50, 50);
    const [tierA, tierB] = tiers.map((tier) => tier.id) as [string, string];
    const limits = limitsOf([tierA, tierB], 4, 6);
    await expect(reserve('user0', id, tierA, 5, limits)).rejects.toThrow(
      'You can have at most 4 tickets of this tier',
    );
    const first = await reserve('user0', id, tierA, 3, limits);
    await expect(reserve('user0', id, tierA, 2, limits)).rejects.toThrow(
      'You can have at most 4 tickets of this tier',
    );
    await expect(reserve('user0', id, tierB, 4, limits)).rejects.toThrow(
      'You can have at most 6 tickets for this event',
    );
    await release(first);
    await reserve('user0', id, tierB, 4, limits);
  });
});

describe('the inventory under concurrent changes', () => {
  it('always has free, held and sold tickets that add up to the capacity of each pool', async () => {
    const { id, tiers } = await createEventWithTiers(40, 25);
    const reservations: Reservation[] = [];
    let changes = 0;
    let isOver = false;

    const runBuyer = async (user: string) => {
      for (let round = 0; round < 15; round++) {
        const tierId = tiers[randomBelow(tiers.length)]?.id ?? '';
        await attempt(
          reserve(user, id, tierId, 1 + randomBelow(4)).then((reservation) => reservations.push(reservation)),
        );
        const [reservationToRelease] = randomBelow(2)
          ? reservations.splice(randomBelow(reservations.length), 1)
          : [];
        if (reservationToRelease) await release(reservationToRelease);
      }
    };
    const runOrganizer = async () => {
      for (let round = 0; round < 30; round++) {
        const tierId = tiers[randomBelow(tiers.length)]?.id ?? '';
        const change = [
          (event: Event) => reviseEvent(event, { totalSupply: 10 + randomBelow(80) }),
          (event: Event) => changeTier(event, tierId, { quantity: randomBelow(60) }),
          (event: Event) => changeTier(event, tierId, { price: 1 + randomBelow(9) }),
          (event: Event) =>
            addTier(event, tierCreation.parse({ name: 'New', price: 1, quantity: 3, maxPerPerson: 1 })),
        ][round % 10 === 9 ? 3 : randomBelow(3)];
        if (change && (await attempt(changeEvent(id, organizer, change)))) changes++;
      }
    };
    const runAudits = async () => {
      let count = 0;
      while (!isOver) if (await auditInventory(id)) count++;
      return count;
    };

    const auditCount = runAudits();
    await Promise.all([...users.map(runBuyer), runOrganizer()]);
    isOver = true;
    expect(await auditCount).toBeGreaterThan(0);
    expect(await auditInventory(id)).toBeDefined();
    expect(changes).toBeGreaterThan(10);
  });

  it('sells all tickets of all shards', async () => {
    const { id, tiers } = await createEventWithTiers(60);
    const tierId = tiers[0]?.id ?? '';
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        attempt(reserve(users[index % users.length] as string, id, tierId, 2)),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(30);
    expect(await readInventory(inventoryOf(await getEvent(id)))).toEqual([Array(12).fill(0)]);
  });

  it('counts each added ticket once after two concurrent changes', async () => {
    const { id, tiers } = await createEventWithTiers(10, 10);
    await Promise.all(
      tiers.map((tier) =>
        changeEvent(id, organizer, (event) => changeTier(event, tier.id, { quantity: 50 })),
      ),
    );
    expect(await auditInventory(id)).toMatchObject({ totalSupply: 100, saleVersion: 3 });
  });

  it('keeps its version after two concurrent changes of tier names, which are both stored', async () => {
    const { id, tiers } = await createEventWithTiers(10, 10);
    await Promise.all(
      tiers.map((tier, index) =>
        changeEvent(id, organizer, (event) => changeTier(event, tier.id, { name: `Tier ${index}` })),
      ),
    );
    const event = await getEvent(id);
    expect(event.tiers.map(({ name }) => name)).toEqual(['Tier 0', 'Tier 1']);
    expect(event.saleVersion).toBe(1);
  });

  it('refuses a reservation from an outdated inventory', async () => {
    const { id, tiers } = await createEventWithTiers(10);
    const outdatedInventory = inventoryOf(await getEvent(id));
    await changeEvent(id, organizer, (event) => reviseEvent(event, { ticketPrice: 99 }));
    const request = { items: [{ tierId: tiers[0]?.id ?? '', quantity: 1 }], shard: 0 };
    await expect(reserveTickets(outdatedInventory, request, [])).rejects.toThrow(InventoryChanged);
  });
});

it('a cancelled event has a job over its orders', async () => {
  const { id } = await createEventWithTiers(10);
  await changeEvent(id, organizer, (event) => reviseEvent(event, { status: 'CANCELLED' }));
  const { updatedAt } = await getEvent(id);
  expect(await findEventJob(id, 'cancel')).toMatchObject({ startedAt: updatedAt });
  expect(await getItem(keys.event(id))).not.toHaveProperty('dueAt');
});

it.each([{ organizerId: 'me' }, { staff: 'me' as const }])(
  'a page of the list %o ends early where its events have many counters',
  async (filter) => {
    const organizerId = await insertPerson();
    const tiers = Array.from({ length: 6 }, (_, index) => ({
      name: `Tier ${index}`,
      price: 0,
      quantity: 80,
    }));
    const creation = eventCreation.parse({
      title: 'Large',
      venue: 'Hall',
      startDate: '2099-01-01T00:00Z',
      tiers,
    });
    const created: string[] = [];
    const addedAt = new Date().toISOString();
    const membership = {
      email: 'organizer@example.com',
      role: 'manager' as const,
      addedAt,
      changedAt: addedAt,
    };
    for (let count = 0; count < 30; count++) {
      const { id: eventId } = await createEvent(creation, organizerId);
      created.push(eventId);
      const member: StaffMember = { ...membership, eventId };
      await write(putMember(member, undefined));
    }
    await write(update(keys.user(organizer), { set: { ownsAddress: true } }));
    const caller = { userId: filter.staff ? organizer : organizerId };
    const pages: EventView[][] = [];
    let cursor: string | null | undefined;
    do {
      const query = eventListQuery.parse({ limit: 100, ...filter, ...(cursor && { cursor }) });
      const page = await listEvents(query, caller);
      pages.push(page.events);
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages.length).toBeGreaterThan(1);
    const listed = pages.flat().map(({ id }) => id);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(created));
  },
);
