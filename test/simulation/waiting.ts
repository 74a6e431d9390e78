import { itemOfSeat, toOrder } from '../../shared/orders/order.ts';
import { type Actor, act, buyerOf, call, count, outcome, personOf, pickBuyer, pickOrder } from './actor.ts';
import type { Item, Person } from './core/simulation.ts';
import { checkIn, type Operation, payOrder, returnSeats } from './operations.ts';
import { gateways } from './parts/providers.ts';

const freeOf = ({ simulation }: Actor, event: Item, tierId: string): number =>
  simulation
    .all('INVENTORY')
    .filter(({ pk }) => pk.startsWith(`INVENTORY#${event.id}#${tierId}#`))
    .reduce((sum, { available }) => sum + available, 0);

/** People join the list of a tier, for which the organizer has mostly fewer tickets than before. */
async function join(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const id = random.pick([world.events.fiat, world.events.minted, world.events.resold]);
  const event = simulation.all('EVENT').find((candidate) => candidate.id === id);
  if (!event) return;
  const tiers: Item[] = event.tiers;
  const tier = random.chance(0.9) ? random.pick(tiers.slice(0, 2)) : random.pick(tiers);
  const params = { id: event.id, tierId: tier.id };
  if (random.chance(0.7)) {
    const body = { quantity: Math.max(0, tier.quantity - freeOf(actor, event, tier.id)) };
    const what = `leaves ${body.quantity} of ${tier.name}`;
    const route = 'PUT /api/events/{id}/tiers/{tierId}';
    await act(actor, world.people.olu, what, route, { params, body });
  }
  const joining = Array.from({ length: 1 + random.below(3) }, () => pickBuyer(actor));
  const answers = await Promise.all(
    joining.map((as) => {
      const body = { tierId: tier.id, quantity: 1 + random.below(3) };
      return call(actor, 'POST /api/events/{id}/waiting-list', { as, params: { id: event.id }, body });
    }),
  );
  for (const [index, { status, body }] of answers.entries()) {
    if (status !== 201) continue;
    count(actor, 'joined a list');
    if (body.entry.status === 'waiting' && !(body.entry.position >= 1))
      simulation.violate('who waits has a place', JSON.stringify(body.entry));
    if (joining.indexOf(joining[index] as Person) !== index) {
      const first = answers[joining.indexOf(joining[index] as Person)];
      const isSame = first?.body?.entry?.id === body.entry.id || first?.status !== 201;
      // Another call may have ended one entry in between.
      const isWaiting = (entryId: string) =>
        simulation.all('WAITLIST#').some((entry) => entry.id === entryId && entry.status === 'waiting');
      if (!isSame && isWaiting(body.entry.id) && isWaiting(first?.body.entry.id))
        simulation.violate('the same call answers the same entry', body.entry.id);
    }
  }
  actor.tell(`${joining.map(({ name }) => name)} wait for ${tier.name} → ${answers.map(outcome)}`);
  if (random.chance(0.3)) return;
  await simulation.kernel.sleep(random.pick([0, 30_000, 200_000]));
  const current = simulation.all('EVENT').find((candidate) => candidate.id === id);
  const { quantity } = current?.tiers.find((candidate: Item) => candidate.id === tier.id) ?? tier;
  const body = { quantity: quantity + 1 + random.below(4) };
  const route = 'PUT /api/events/{id}/tiers/{tierId}';
  await act(actor, world.people.olu, `offers ${body.quantity} of ${tier.name}`, route, { params, body });
}

function pickEntry(
  { random, simulation, world, focus }: Actor,
  status: string,
): { entry: Item; as: Person } | undefined {
  const entries = simulation
    .all('WAITLIST#')
    .filter((entry) => entry.status === status && (!focus || entry.eventId === focus.eventId));
  const entry = entries.length > 0 ? random.pick(entries) : undefined;
  const as = entry && personOf(world, entry.userId);
  return entry && as && { entry, as };
}

/** Takes an offer, perhaps by two orders at once, or while it ends or is declined; mostly pays. */
export async function takeOffer(actor: Actor): Promise<void> {
  const { random, simulation, memory } = actor;
  let picked = pickEntry(actor, 'offered');
  for (let waited = 0; !picked && pickEntry(actor, 'waiting') && waited < 5; waited++) {
    await simulation.kernel.sleep(40_000);
    picked = pickEntry(actor, 'offered');
  }
  if (!picked) return;
  const { entry, as } = picked;
  const wait = Date.parse(entry.offer.expiresAt) - simulation.kernel.now - 500 + random.below(3_000);
  // A day of sweeps would take as long as twenty histories.
  if (random.chance(0.2) && wait < 2_400_000) {
    await simulation.kernel.sleep(Math.max(0, wait));
  }
  const event = simulation.all('EVENT').find(({ id }) => id === entry.eventId);
  const quantity = Math.max(1, entry.quantity - random.pick([0, 0, 0, 1]));
  const addOn = event?.tiers.find(({ kind }: Item) => kind === 'addon');
  const items = [{ tierId: entry.tierId, quantity }];
  const body = {
    eventId: entry.eventId,
    ...(addOn && random.chance(0.2) ? { items: [...items, { tierId: addOn.id, quantity: 1 }] } : items[0]),
    paymentMethod: 'FIAT',
    gateway: random.pick([...gateways]),
    offerId: entry.offer.id,
  };
  const times = random.chance(0.25) ? 2 : 1;
  memory.attempts.set(as.id, (memory.attempts.get(as.id) ?? 0) + times);
  const declining = random.chance(0.15)
    ? call(actor, 'DELETE /api/waiting-list/{id}', { as, params: { id: entry.id } })
    : undefined;
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) =>
      call(actor, 'POST /api/orders/initialize', { as, body, key: `${random.name} take ${index}` }),
    ),
  );
  const declined = await declining;
  actor.tell(
    `${as.name} takes the offer of ${quantity} → ${answers.map(outcome)}${declined ? `, declined → ${outcome(declined)}` : ''}`,
  );
  const taken = answers.filter(({ status }) => status === 201);
  if (taken.length > 1) simulation.violate('an offer is taken once', entry.offer.id);
  const order = simulation.all('ORDER').find(({ id }) => id === taken[0]?.body.orderId);
  if (!order) return;
  count(actor, 'an offer taken');
  if (random.chance(0.3)) return;
  await simulation.kernel.sleep(random.pick([10, 30_000, 350_000]));
  const current = simulation.all('ORDER').find(({ id }) => id === order.id);
  if (current) await payOrder(actor, current);
}

/** The buyer of tickets returns some, which are sold to those who wait. Another person waits for them, and mostly buys. */
async function listSeats(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const eventId = world.events.resold as string;
  const isOfSale = (order: Item) => order.eventId === eventId && order.isPosted && !order.refund;
  const focus = pickOrder(actor, isOfSale) ?? (await buyForResale(actor, eventId));
  const find = () => simulation.all('ORDER').find(({ id }) => id === focus?.id);
  for (let waited = 0; waited < 30 && isMinting(find()); waited++) await simulation.kernel.sleep(20_000);
  const order = find();
  const second = random.chance(0.4) ? await buyForResale(actor, eventId) : undefined;
  const event = simulation.all('EVENT').find(({ id }) => id === eventId);
  if (!order || !event) return;
  const { tierId } = itemOfSeat(toOrder(order), 1);
  const tier: Item = event.tiers.find(({ id }: Item) => id === tierId) ?? event.tiers[0];
  const params = { id: eventId, tierId: tier.id };
  const left = random.pick([0, 0, 1]);
  const body = { quantity: Math.max(0, tier.quantity - freeOf(actor, event, tier.id) + left) };
  const route = 'PUT /api/events/{id}/tiers/{tierId}';
  await act(actor, world.people.olu, `leaves ${body.quantity} of ${tier.name}`, route, { params, body });
  const join = () => {
    const joining = { tierId: tier.id, quantity: left + random.pick([1, 1, 2]) };
    const options = { params: { id: eventId }, body: joining };
    return act(actor, pickBuyer(actor), 'waits', 'POST /api/events/{id}/waiting-list', options);
  };
  if (random.chance(0.7)) await join();
  await returnSeats({ ...actor, focus: order });
  if (second) await returnSeats({ ...actor, focus: second, random: random.child('second') });
  await join();
  if (random.chance(0.2)) return;
  await simulation.kernel.sleep(random.pick([40_000, 100_000]));
  // The holder may come in while somebody else pays for the seat.
  const isUsed = random.chance(0.6);
  const comeIn = async () => {
    await simulation.kernel.sleep(random.pick([0, 2_000]));
    await checkIn({ ...actor, focus: order, random: random.child('door') });
  };
  await Promise.all([takeOffer(actor), isUsed && comeIn()]);
}

const isMinting = (order: Item | undefined) =>
  order?.fulfilmentStatus === 'queued' || order?.fulfilmentStatus === 'minting';

async function buyForResale(actor: Actor, eventId: string): Promise<Item | undefined> {
  const { random, simulation } = actor;
  const event = simulation.all('EVENT').find(({ id }) => id === eventId);
  const as = pickBuyer(actor);
  const tickets = { eventId, tierId: event?.tiers[random.below(2)].id, quantity: 1 + random.below(2) };
  actor.memory.attempts.set(as.id, (actor.memory.attempts.get(as.id) ?? 0) + 1);
  const body = { ...tickets, gateway: random.pick([...gateways]), paymentMethod: 'FIAT' };
  const options = { as, body, key: `${random.name} for resale` };
  const { body: bought } = await call(actor, 'POST /api/orders/initialize', options);
  const find = () => simulation.all('ORDER').find(({ id }) => id === bought?.orderId);
  const order = find();
  const payment = order && simulation.providers.payments.findByReference(order.reference);
  if (payment?.status !== 'open') return undefined;
  await simulation.providers.runAsProvider(random, () => simulation.providers.actions.pay(payment, {}));
  for (let waited = 0; waited < 30 && !find()?.isPosted; waited++) await simulation.kernel.sleep(5_000);
  return find();
}

/** Keeps seats that were listed, or tries to. */
export async function keepSeats(actor: Actor): Promise<void> {
  const order = pickOrder(actor, ({ listings }) => listings !== undefined);
  if (!order) return;
  const options = {
    params: { id: order.id, returnId: actor.random.pick(order.listings as Item[]).returnId },
  };
  const route = 'DELETE /api/orders/{id}/returns/{returnId}';
  const { status } = await act(
    actor,
    buyerOf(actor, order),
    `keeps seats of ${order.id.slice(-6)}`,
    route,
    options,
  );
  if (status === 200) count(actor, 'a listing ended');
}

/** Leaves a list, or declines an offer. */
async function leave(actor: Actor): Promise<void> {
  const picked = pickEntry(actor, actor.random.pick(['waiting', 'offered', 'offered', 'expired']));
  if (!picked) return;
  const { entry, as } = picked;
  const options = { params: { id: entry.id } };
  await act(actor, as, `leaves the list (${entry.status})`, 'DELETE /api/waiting-list/{id}', options);
}

/** Somebody takes the offer of another person. */
async function steal(actor: Actor): Promise<void> {
  const { simulation, memory, random } = actor;
  const picked = pickEntry(actor, 'offered');
  const as = pickBuyer(actor);
  if (!picked || picked.as.id === as.id) return;
  const { eventId, tierId, offer } = picked.entry;
  const body = { eventId, tierId, quantity: 1, paymentMethod: 'FIAT', offerId: offer.id };
  memory.attempts.set(as.id, (memory.attempts.get(as.id) ?? 0) + 1);
  const answer = await call(
    actor,
    'POST /api/orders/initialize',
    { as, body, key: `${random.name} steal` },
    0,
  );
  if (answer.status === 201) simulation.violate('strangers are refused', `the offer ${offer.id}`);
  const left = await call(actor, 'DELETE /api/waiting-list/{id}', { as, params: { id: picked.entry.id } }, 0);
  if (left.status === 200) simulation.violate('strangers are refused', `the entry ${picked.entry.id}`);
}

/** Reads the own entries, or those of an event. */
async function lookAtList(actor: Actor): Promise<void> {
  const { random, world } = actor;
  const id = random.pick([world.events.fiat, world.events.minted, world.events.resold]) as string;
  if (random.chance(0.5)) await call(actor, 'GET /api/waiting-list', { as: pickBuyer(actor) }, 0);
  else await call(actor, 'GET /api/events/{id}/waiting-list', { as: world.people.olu, params: { id } }, 0);
}

export const waitingOperations: readonly Operation[] = [
  { name: 'join list', weight: 7, run: join },
  { name: 'take offer', weight: 7, run: takeOffer },
  { name: 'list seats', weight: 7, run: listSeats },
  { name: 'keep seats', weight: 2, run: keepSeats },
  { name: 'leave list', weight: 2, run: leave },
  { name: 'steal offer', weight: 1, run: steal },
  { name: 'look at list', weight: 1, run: lookAtList },
];
