import { createRequire } from 'node:module';
import { hashBuyer } from '../../shared/catalog/inventory/inventory.ts';
import { newId } from '../../shared/core/ids.ts';
import { type Actor, act, call } from './actor.ts';
import { noFaults } from './core/rates.ts';
import type { Item, Simulation } from './core/simulation.ts';
import type { Operation } from './operations.ts';
import { dayMilliseconds } from './world.ts';

const { marshall, unmarshall } = createRequire(import.meta.url)('@aws-sdk/util-dynamodb');

const people = 500;
const returnedSeats = 50;
const seatsPerOrder = 4;

/** A history of its own: 500 people wait for the seats of a sold-out tier, of which 50 come back one after the other. */
export const waitingScenario: readonly Operation[] = [{ name: 'long list', weight: 1, run: waitForReturns }];

async function waitForReturns(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const { olu, ann } = world.people;
  // The tickets are sold, and people join, without faults.
  const rates = { ...simulation.rates };
  Object.assign(simulation.rates, noFaults);
  const body = {
    title: 'Sold out',
    venue: 'Hall',
    startDate: new Date(simulation.start + 3 * dayMilliseconds).toISOString(),
    tiers: [{ name: 'Seat', price: 0, quantity: returnedSeats, maxPerPerson: seatsPerOrder }],
    buyers: 'anyone',
    waitingList: true,
  };
  const created = await call(actor, 'POST /api/events', { as: olu, body });
  const { id: eventId, tiers } = created.body.event;
  const tierId: string = tiers[0].id;
  const orders: string[] = [];
  for (let sold = 0; sold < returnedSeats; sold += seatsPerOrder) {
    const quantity = Math.min(seatsPerOrder, returnedSeats - sold);
    const customer = { email: `guest-${sold}@example.com`, name: 'Guest' };
    actor.memory.attempts.set(hashBuyer(customer.email), 1);
    const order = { eventId, tierId, quantity, paymentMethod: 'FIAT', customer };
    const key = `${random.name} sells ${sold}`.padEnd(22, '.');
    const { body: bought } = await call(actor, 'POST /api/orders/initialize', { body: order, key });
    orders.push(bought.orderId);
  }
  const isPosted = ({ id, isPosted }: Item) => isPosted || !orders.includes(id);
  while (!simulation.all('ORDER').every(isPosted)) await simulation.kernel.sleep(1_000);
  const first = { as: ann, params: { id: eventId }, body: { tierId, quantity: 1 } };
  await call(actor, 'POST /api/events/{id}/waiting-list', first);
  for (let number = 2; number <= people; number++) join(simulation, ann.id, { eventId, tierId, number });
  Object.assign(simulation.rates, rates);
  const seats = orders.flatMap((id, index) => {
    const quantity = Math.min(seatsPerOrder, returnedSeats - index * seatsPerOrder);
    return Array.from({ length: quantity }, (_, seat) => ({ id, number: seat + 1 }));
  });
  await Promise.all(
    seats.map(async ({ id, number }) => {
      const own = random.child(`${id} ${number}`);
      await simulation.kernel.sleep(own.below(300_000));
      const options = { params: { id }, body: { seats: [number] } };
      const what = `gives seat ${number} of ${id.slice(-6)} back`;
      await act({ ...actor, random: own }, olu, what, 'POST /api/orders/{id}/refund', options, 10);
    }),
  );
}

/** Writes another person with a place in the list, as the service does: hundreds of calls would take long. */
function join(
  { kernel, keys, table }: Simulation,
  as: string,
  { number, ...list }: { eventId: string; tierId: string; number: number },
): void {
  const now = kernel.now + number;
  const userId = newId(now);
  const at = new Date(now).toISOString();
  const base = { id: newId(now), userId, ...list, quantity: 1 };
  const entry = { ...base, status: 'waiting', joinedAt: at, updatedAt: at };
  const profile = table.get({ pk: { S: keys.user(as).pk }, sk: { S: keys.user(as).sk } });
  const email = `waiting-${number}@example.com`;
  for (const item of [
    { ...unmarshall(profile), ...keys.user(userId), id: userId, email, walletAddress: null },
    { ...keys.waitingEntry(entry), ...entry },
    { ...keys.waitingPlace(entry, 'WAITING'), ...entry },
  ])
    table.execute('PutItem', { Item: marshall(item, { removeUndefinedValues: true }) });
}

/** Whether each seat that came back is offered once, to those who have waited longest. */
export function findWronglyOffered(simulation: Simulation): string[] {
  const entries = simulation
    .all('WAITLIST#')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ status }) => status);
  const offered = entries.filter((status) => status === 'offered').length;
  const inOrder = entries.slice(0, returnedSeats).filter((status) => status === 'offered').length;
  if (offered === returnedSeats && inOrder === returnedSeats) return [];
  return [`${offered} of ${entries.length} have an offer, ${inOrder} of them are the first`];
}
