import { isDeepStrictEqual } from 'node:util';
import { drawOrder } from '../../shared/catalog/queue/draw.ts';
import { placeIdOf, type QueueState, type Rate } from '../../shared/catalog/queue/queue.ts';
import { type Actor, act, call, count, outcome } from './actor.ts';
import type { Item, Person, Simulation } from './core/simulation.ts';
import { type Operation, operations, payOrder } from './operations.ts';
import { dayMilliseconds } from './world.ts';

const minute = 60_000;
/** As QUEUE_TURN_MINUTES has it by default. */
const turnMilliseconds = 10 * minute;
/** Clocks of environments differ by up to half a second. */
const skewMilliseconds = 600;
/** A request decides by an event that it has read at most so long before it writes. */
const requestMilliseconds = 15_000;

/** Histories of sales by a queue, between everything else that happens. */
export const queueScenario: readonly Operation[] = [
  ...operations,
  { name: 'queued sale', weight: 200, run: sellByQueue },
];

const tickets = new WeakMap<Simulation, string[]>();

/** The tickets of all queues that people have got. */
function ticketsOf(simulation: Simulation): string[] {
  const known = tickets.get(simulation) ?? [];
  tickets.set(simulation, known);
  return known;
}

const isoTime = (time: number) => new Date(time).toISOString();

/** Everybody queues for a few tickets, and orders in turn or out of turn, while the organizer controls the queue. */
async function sellByQueue(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const { olu, ann, ben, cy, dan } = world.people;
  const now = simulation.kernel.now;
  const drawAt = now + 20_000 + random.below(60_000);
  const body = {
    title: 'Queued',
    venue: 'Hall',
    startDate: isoTime(now + 5 * dayMilliseconds),
    tiers: [
      { name: 'Floor', price: random.pick([0, 10]), quantity: random.pick([2, 3, 8]), maxPerPerson: 2 },
    ],
    queue: {
      opensAt: isoTime(now - 1_000),
      drawAt: isoTime(drawAt),
      until: isoTime(drawAt + random.pick([20, 40, 90]) * minute),
      perMinute: random.pick([1, 1, 2, 600]),
    },
  };
  const created = await call(actor, 'POST /api/events', { as: olu, body, key: random.name }, 2);
  actor.tell(`olu sells by a queue → ${outcome(created)}`);
  if (created.status !== 201) return;
  const watch = new QueueWatch(simulation, created.body.event.id);
  const parts = [
    ...[ann, ben, cy, dan].map((person) => (own: Actor) => queueUp(own, person, created.body.event, watch)),
    (own: Actor) => control(own, created.body.event),
  ];
  await Promise.all(parts.map((part, index) => part({ ...actor, random: random.child(`part ${index}`) })));
}

/** Joins at any time, perhaps twice at once, and tries to order, mostly when it is the person's turn. */
async function queueUp(actor: Actor, as: Person, event: Item, watch: QueueWatch): Promise<void> {
  const { random, simulation, memory } = actor;
  const { kernel } = simulation;
  const params = { id: event.id };
  await kernel.sleep(random.below(120_000));
  for (let round = 1; round <= 18; round++) {
    const times = random.chance(0.2) ? 2 : 1;
    watch.asks(as);
    const joining = Array.from({ length: times }, async () => {
      const answer = await call(actor, 'POST /api/events/{id}/queue', { as, params }, 1);
      if (answer.status === 200) watch.checkPlace(as, answer.body.place);
      return answer;
    });
    const [joined] = await Promise.all(joining);
    const { place, ticket } = joined?.body ?? {};
    if (random.chance(place?.state === 'admitted' ? 0.6 : 0.25)) {
      // Some try the ticket of somebody else, or of another event, or none.
      const shown = random.chance(0.7) ? ticket : random.pick([...ticketsOf(simulation), undefined]);
      const orderOnce = (attempt: string) => {
        memory.attempts.set(as.id, (memory.attempts.get(as.id) ?? 0) + 1);
        return call(actor, 'POST /api/orders/initialize', {
          as,
          body: { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT' },
          key: `${random.name} ${round} ${attempt}`.padEnd(22, '.'),
          ...(shown && { headers: { 'x-queue-ticket': shown } }),
        });
      };
      const answer = await orderOnce('first');
      const number = `number ${place?.number ?? 'none'}, ${place?.state ?? outcome(joined as never)}`;
      actor.tell(`${as.name} orders from the queue (${number}) → ${outcome(answer)}`);
      if (answer.code === 'not-your-turn') count(actor, 'refused before the turn');
      if (answer.status === 201) {
        count(actor, 'an order from a queue');
        const order = simulation.all('ORDER').find(({ id }) => id === answer.body.orderId);
        if (random.chance(0.4)) await orderOnce('second');
        if (order && random.chance(0.6)) await payOrder(actor, order);
        return;
      }
    }
    if (ticket) ticketsOf(simulation).push(ticket);
    await kernel.sleep(10_000 + random.below(80_000));
  }
}

/** The organizer pauses, resumes and changes the rate, sometimes twice at once, or edits or cancels the event. */
async function control(actor: Actor, { id, queue }: Item): Promise<void> {
  const { random, simulation, world } = actor;
  const { olu } = world.people;
  const params = { id };
  for (let left = 1 + random.below(4); left > 0; left--) {
    await simulation.kernel.sleep(random.below(150_000));
    const changes = Array.from({ length: random.chance(0.2) ? 2 : 1 }, async () => {
      const body = random.pick([
        { paused: true },
        { paused: false },
        { paused: false, perMinute: random.pick([1, 3, 60_000]) },
        { perMinute: null },
      ]);
      await act(actor, olu, `sets ${JSON.stringify(body)}`, 'PUT /api/events/{id}/queue', { params, body });
    });
    await Promise.all(changes);
    const edit = random.weighted<object | undefined>([
      [8, undefined],
      [1, { status: 'CANCELLED' }],
      [1, { status: random.pick(['DRAFT', 'PUBLISHED']) }],
      [1, { queue: { ...queue, until: isoTime(Date.parse(queue.until) + 5 * minute) } }],
    ]);
    if (edit)
      await act(actor, olu, `edits ${JSON.stringify(edit)}`, 'PUT /api/events/{id}', { params, body: edit });
  }
}

/** Checks what holds of one queue at any time. */
class QueueWatch {
  readonly #simulation: Simulation;
  readonly #eventId: string;
  /** What each person was answered. */
  readonly #places = new Map<string, { id: string; number: number | null }>();
  /** When each person called for the first time. */
  readonly #asked = new Map<string, number>();
  /** The places that were answered before the draw. */
  readonly #drawn = new Set<string>();
  /** The states of the event, since when each is stored. */
  readonly #states: { since: number; event: Item }[] = [];

  constructor(simulation: Simulation, eventId: string) {
    this.#simulation = simulation;
    this.#eventId = eventId;
    const event = this.#event;
    if (event) this.#states.push({ since: simulation.kernel.now, event });
    const checkOthers = simulation.onCommit;
    simulation.onCommit = (changes) => {
      checkOthers(changes);
      for (const { kind, before, after } of changes) {
        if (!after?.pk.includes(eventId) && after?.eventId !== eventId) continue;
        if (kind === 'EVENT' && before) this.#checkState(before, after);
        if (kind === 'DRAW' && before && !isDeepStrictEqual(before.ids, after.ids))
          this.#violate('a draw never changes', after.pk);
        if (kind === 'ORDER' && !before) this.#checkOrder(after);
        if (kind === 'PLACE#') this.#checkPlaces();
      }
    };
  }

  get #event(): Item | undefined {
    return this.#simulation.all('EVENT').find(({ id }) => id === this.#eventId);
  }

  #violate(rule: string, details: string): void {
    this.#simulation.violate(rule, `${this.#eventId}: ${details}`);
  }

  /** A person is about to join. */
  asks({ id }: Person): void {
    if (!this.#asked.has(id)) this.#asked.set(id, this.#simulation.kernel.now);
  }

  /** A person has one place, whose number stays, and which nobody else has. */
  checkPlace({ id: userId, name }: Person, { id, number }: { id: string; number: number | null }): void {
    const known = this.#places.get(userId);
    if (known && known.id !== id) this.#violate('a person has one place in a queue', name);
    if (known && known.number !== null && known.number !== number)
      this.#violate('a number never changes', `${name} had ${known.number}, has ${number}`);
    for (const [other, place] of this.#places) {
      if (other !== userId && number !== null && place.number === number)
        this.#violate('a number belongs to one place', `${number}`);
    }
    this.#places.set(userId, { id, number });
    // Who was answered before the draw is in it.
    const { queue, queueState } = this.#event ?? {};
    const hasJoinedBefore = known === undefined && this.#simulation.kernel.now < Date.parse(queue?.drawAt);
    if (hasJoinedBefore) this.#drawn.add(id);
    if (number !== null && this.#drawn.has(id) && number > queueState.draw.count)
      this.#violate('who joined before the draw is drawn', name);
    const isLate = (this.#asked.get(userId) ?? 0) > Date.parse(queue?.drawAt) + skewMilliseconds;
    if (number !== null && isLate && number <= queueState.draw.count)
      this.#violate('who joined after the draw follows', name);
  }

  /** There are not more places than people. */
  #checkPlaces(): void {
    const places = this.#simulation.all('PLACE#').filter(({ pk }) => pk.includes(this.#eventId));
    if (places.length > 4) this.#violate('a person has one place in a queue', `${places.length} of 4 people`);
  }

  #checkState(before: Item, after: Item): void {
    const { now } = this.#simulation.kernel;
    this.#states.push({ since: now, event: after });
    const [old, changed]: (QueueState | undefined)[] = [before.queueState, after.queueState];
    if (!old || !changed) return;
    const isFixed = (name: 'seed' | 'placeKey' | 'publicValue' | 'draw') =>
      old[name] === undefined || isDeepStrictEqual(old[name], changed[name]);
    if (!isFixed('seed') || !isFixed('placeKey') || !isFixed('publicValue') || !isFixed('draw'))
      this.#violate('a draw never changes', JSON.stringify(changed));
    if (!old.draw && changed.draw) this.#checkDraw(changed);
    if (changed.draw && changed.isPaused && changed.rates.at(-1)?.perMinute !== 0)
      this.#violate('a pause admits nobody', JSON.stringify(changed.rates));
    // A new rate continues where the one before it was: nobody loses a turn, and nobody skips others.
    const rate = changed.rates.at(-1);
    if (!rate || isDeepStrictEqual(old.rates, changed.rates) || old.rates.length === 0) return;
    const [expected, found] = [old, changed].map(({ rates }) => admitted(rates, rate.at));
    if (expected !== found)
      this.#violate('admission goes on in the order of the numbers', `${expected}, ${found}`);
    if (rate.at < now - requestMilliseconds || rate.at > now + requestMilliseconds)
      this.#violate('a rate begins now', isoTime(rate.at));
  }

  /** The stored order is the one of the draw, and has all who were stored when it was made. */
  #checkDraw({ seed, publicValue = '', draw }: QueueState): void {
    const ids: string[] = this.#pages.flatMap((page) => page.ids);
    const expected = drawOrder(ids, { seed, publicValue });
    if (ids.length !== draw?.count || !isDeepStrictEqual(ids, expected) || new Set(ids).size < ids.length)
      this.#violate('the order is the one of the draw', ids.join());
  }

  get #pages(): Item[] {
    return this.#simulation
      .all('DRAW')
      .filter(({ pk }) => pk.includes(this.#eventId))
      .sort((one, other) => one.first - other.first);
  }

  /** Nobody orders without admission: it is the buyer's turn by a state that the request can have read. */
  #checkOrder({ id, userId }: Item): void {
    const { now } = this.#simulation.kernel;
    const from = now - requestMilliseconds;
    const readable = this.#states.filter((_, index) => (this.#states[index + 1]?.since ?? now) >= from);
    const isTurn = readable.some(({ event: { queue, queueState } }) => {
      if (queueState.isOver || now + skewMilliseconds >= Date.parse(queue.until)) return true;
      const { number, joinedAt } = this.#findNumber(queueState, userId);
      if (number === undefined || admitted(queueState.rates, now + skewMilliseconds) < number) return false;
      const end = now - turnMilliseconds - requestMilliseconds;
      return joinedAt > end || admitted(queueState.rates, end) < number;
    });
    if (!isTurn) this.#violate('nobody orders without admission', `${id} of ${userId}`);
    const isOpen = ({ eventId, paymentStatus }: Item) =>
      eventId === this.#eventId && paymentStatus === 'PENDING';
    const open = this.#simulation.all('ORDER').filter((order) => order.userId === userId && isOpen(order));
    const isQueuedNow = readable.every(
      ({ event: { queue, queueState } }) =>
        !queueState.isOver && now + skewMilliseconds < Date.parse(queue.until),
    );
    if (open.length > 1 && isQueuedNow)
      this.#violate('a person with a turn has one open order', open.map((order) => order.id).join());
  }

  #findNumber(state: QueueState, userId: string): { number: number | undefined; joinedAt: number } {
    const placeId = placeIdOf(state, userId);
    const place = this.#simulation
      .all('PLACE#')
      .find(({ pk, sk }) => pk.includes(this.#eventId) && sk === `PLACE#${placeId}`);
    if (!state.draw || !place) return { number: undefined, joinedAt: 0 };
    if (place.late !== undefined) return { number: state.draw.count + place.late, joinedAt: place.joinedAt };
    const index = this.#pages.flatMap(({ ids }) => ids).indexOf(placeId);
    return { number: index < 0 ? undefined : index + 1, joinedAt: 0 };
  }
}

/** The highest number that was admitted at a time, as these rates have it. Before the first of them it is not known. */
function admitted(rates: readonly Rate[], time: number): number {
  const rate = rates.findLast(({ at }) => at <= time);
  if (!rate) return 0;
  const { at, upTo, perMinute, limit } = rate;
  return Math.max(upTo, Math.min(limit, upTo + Math.floor(((time - at) * perMinute) / minute)));
}

/** Whether each queue was drawn, unless its event was cancelled or its time has passed. */
export function findUndrawn(simulation: Simulation): string[] {
  const { now } = simulation.kernel;
  return simulation
    .all('EVENT')
    .filter(({ queue, queueState, status }) => {
      if (!queue || queueState.draw || status === 'CANCELLED') return false;
      return Date.parse(queue.drawAt) + 10 * minute < now && now < Date.parse(queue.until);
    })
    .map(({ id }) => `the queue of ${id} is not drawn`);
}
