import { hashBuyer } from '../../shared/catalog/inventory/inventory.ts';
import { occurrenceTypes } from '../../shared/messaging/webhooks/webhook.ts';
import type { Random } from './core/random.ts';
import type { Answer, CallOptions, Item, Person, Simulation } from './core/simulation.ts';
import type { PersonName, World } from './world.ts';

/** What an operation works with: the service as its users see it, and the world around it. */
export interface Actor {
  simulation: Simulation;
  world: World;
  random: Random;
  /** What the histories' operations know in common. */
  memory: Memory;
  /** The order on which two operations meet: `pickOrder` and `pickEvent` return nothing else. */
  focus?: Item | undefined;
  /** Adds a line to the history. */
  tell(text: string): void;
}

/** What has happened so far, as the people remember it. */
export interface Memory {
  /** How often each person tried to buy: the number of orders can't exceed it. */
  attempts: Map<string, number>;
  /** The times at which a seat was admitted, by order and number. */
  admissions: Map<string, number[]>;
  /** How often somebody tried to undo an admission, by order and number: each allows another one. */
  undoneAdmissions: Map<string, number>;
  /** The payments with a wrong amount or currency. */
  wrongPayments: Set<string>;
  /** The orders that somebody else minted. */
  foreignMints: Set<string>;
  /** How many calls used each idempotency key. */
  keyUses: Map<string, number>;
  /** The payments that were returned at the provider, not through the service, by reference. */
  returnedPayments: Set<string>;
  /** The pairs of operations that met on one order, as in docs/operation-pairs.md. */
  pairs: Set<string>;
  /** How often something happened that a history has to contain to say something about it. */
  counts: Map<Counted, number>;
  /** The people whose password is being changed. */
  changingPasswords: Set<string>;
  /** The people who may have set a password by a mailed link, which confirms their address. */
  mayHaveReset: Set<string>;
  /** The access tokens of guests' orders, by order. */
  accessTokens: Map<string, string>;
  /** The people who tried to close their account, and those who did. */
  closing: Set<string>;
  /** What Olu's system has pulled, and the last id of it. */
  pulled: { ids: Set<string>; after?: string };
  erased: Set<string>;
  /** Whether somebody has a session of Olu's, and how often somebody had. */
  isRobbed: boolean;
  robberies: number;
  /** The ends of the waits for new bank accounts that Olu has stopped. */
  stoppedWaits: Set<string>;
}

/** The operations of docs/operation-pairs.md. */
export const pairNames = [
  'cancel event',
  'cancel order',
  'expire',
  'fail',
  'settle',
  'late settle',
  'refund',
  'refund part',
  'return seats',
  'check in',
  'mint',
  'burn',
  'pay out',
  'join list',
  'offer',
  'take offer',
  'offer ends',
  'lose dispute',
  'close account',
  'list seats',
  'keep seats',
  'resell',
] as const;
export type PairName = (typeof pairNames)[number];

/** The number of seeds that run each pair once. */
export const pairCount = pairNames.length ** 2;

export const counted = [
  'several items',
  'a partial refund',
  'a return',
  'a listing',
  'a listing ended',
  'joined a list',
  'an offer taken',
  'an add-on',
  'a code over several items',
  'a late payment of several items',
  'a tier changed',
  'attached while it was paid',
  ...occurrenceTypes,
] as const;
export type Counted =
  | (typeof counted)[number]
  | 'an order from a queue'
  | 'refused before the turn'
  | 'a listed seat sold'
  | 'seats of several orders sold together'
  | 'listed seats sold with free tickets';

export function count({ memory: { counts } }: Pick<Actor, 'memory'>, what: Counted): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

export const newMemory = (): Memory => ({
  attempts: new Map(),
  admissions: new Map(),
  undoneAdmissions: new Map(),
  wrongPayments: new Set(),
  foreignMints: new Set(),
  keyUses: new Map(),
  returnedPayments: new Set(),
  pairs: new Set(),
  counts: new Map(),
  changingPasswords: new Set(),
  mayHaveReset: new Set(),
  accessTokens: new Map(),
  closing: new Set(),
  pulled: { ids: new Set() },
  erased: new Set(),
  isRobbed: false,
  robberies: 0,
  stoppedWaits: new Set(),
});

const buyerNames = ['ann', 'ben', 'cy', 'dan'] as const satisfies PersonName[];

export function pickBuyer({ random, world }: Actor): Person {
  return world.people[random.pick(buyerNames)];
}

export function pickEvent({ random, world, focus }: Actor): string {
  return focus?.eventId ?? random.pick(Object.values(world.events));
}

/** Picks an order that a condition selects, the newest more often. */
export function pickOrder(actor: Actor, isSelected: (order: Item) => boolean = () => true): Item | undefined {
  const { focus } = actor;
  const orders = actor.simulation
    .all('ORDER')
    .filter((order) => (!focus || order.id === focus.id) && isSelected(order))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  if (orders.length === 0) return undefined;
  const index = Math.floor(actor.random.fraction() ** 1.5 * orders.length);
  return orders[index];
}

export function personOf({ people }: World, userId: string): Person | undefined {
  return Object.values(people).find(({ id }) => id === userId);
}

/** Returns the buyer of an order; for a guest's order as a person with the access token of the order. */
export function buyerOf({ world, memory }: Actor, order: Item): Person {
  if (order.guestVersion === undefined) return personOf(world, order.userId) as Person;
  const person = guestOf(world, order);
  const accessToken = memory.accessTokens.get(order.id);
  // Without the answer of the purchase, the person has to log in.
  return accessToken ? { ...person, name: `${person.name} as guest`, token: `Order ${accessToken}` } : person;
}

/** The person who bought an order without the account. */
export function guestOf({ people }: World, order: Item): Person {
  return Object.values(people).find(({ email }) => hashBuyer(email) === addressOf(order)) as Person;
}

/** The hash of the address that an order was placed with; the buyer's id once it is erased. */
export const addressOf = ({ customerEmail, buyer }: Item): string =>
  customerEmail ? hashBuyer(customerEmail) : buyer;

/**
 * Calls the API as a person does: logs in again when the token has expired or is not fresh, and repeats a call whose answer was lost.
 * @param repeats how often to repeat it
 */
export async function call(
  actor: Actor,
  route: string,
  options: CallOptions = {},
  repeats = 1,
): Promise<Answer> {
  const { simulation, random, memory } = actor;
  const { key } = options;
  for (let repeat = 0; ; repeat++) {
    if (key) memory.keyUses.set(key, (memory.keyUses.get(key) ?? 0) + 1);
    let answer = await simulation.call(route, options);
    const isKeyClaimed = answer.code === 'in-progress' && answer.body?.error.includes('Idempotency-Key');
    if (key && isKeyClaimed && memory.keyUses.get(key) === 1) {
      simulation.violate('the first call with an idempotency key runs', `${route} ${key}`);
    }
    const isStale = answer.status === 401 || answer.code === 'confirmation-required';
    if (isStale && options.as && route !== 'POST /api/auth/login') {
      const { as } = options;
      const { email, password } = as;
      const login = await simulation.call('POST /api/auth/login', { body: { email, password } });
      if (login.body?.token) {
        as.token = login.body.token;
        answer = await simulation.call(route, options);
      }
    }
    const isUnclear = answer.status === 0 || answer.status >= 500;
    const isBusy = answer.status === 409 && /busy|in-progress/.test(answer.code ?? '');
    if (repeat >= repeats || !(isUnclear || isBusy)) return answer;
    await simulation.kernel.sleep(1_000 + random.below(20_000));
  }
}

/** Calls the API, and tells what somebody did and what came of it. */
export async function act(
  actor: Actor,
  as: Person,
  what: string,
  route: string,
  options: CallOptions = {},
  repeats?: number,
): Promise<Answer> {
  const answer = await call(actor, route, { as, ...options }, repeats);
  actor.tell(`${as.name} ${what} → ${outcome(answer)}`);
  return answer;
}

/** The token of the last link to a page that was mailed to an address. */
export function findLinkToken({ simulation }: Actor, email: string, page: string): string | undefined {
  const mails = simulation.mails.filter(({ to, raw }) => to.includes(email) && raw.includes(page));
  const text = mails.at(-1)?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return text && new RegExp(`${page}\\S*?token=([\\w-]+)`).exec(text)?.[1];
}

export const outcome = ({ status, code }: Answer) =>
  status === 0 ? 'answer lost' : `${status} ${code ?? ''}`.trim();
