import { type Actor, type Counted, type Memory, newMemory } from './actor.ts';
import { type Cause, runAs } from './core/kernel.ts';
import { Random } from './core/random.ts';
import { drawRates, type Fault, noFaults, type Rates } from './core/rates.ts';
import { newCause, type Program, Simulation } from './core/simulation.ts';
import { findUndone, livenessHours, Safety } from './invariants.ts';
import { type Operation, operations, resaleScenario } from './operations.ts';
import { pairScenario } from './pairs.ts';
import { findUndrawn, queueScenario } from './queued-sale.ts';
import { findUnequalSums, refundScenario } from './refunds.ts';
import { findWronglyOffered, waitingScenario } from './waiting-drill.ts';
import { createEndpoint } from './webhooks.ts';
import type { World } from './world.ts';

/** What a history consists of: its operations, and what has to be true in the end. */
interface Scenario {
  operations: readonly Operation[];
  /** The number of operations, unless the options of a history have another one. */
  length: number;
  findUndone(simulation: Simulation, memory: Memory): string[];
  settings?: Record<string, string>;
}

export const scenarios = {
  everything: { operations, length: 40, findUndone },
  resales: { operations: resaleScenario, length: 20, findUndone, settings: { OFFER_HOURS: '0.5' } },
  pairs: { operations: pairScenario, length: 1, findUndone, settings: { OFFER_HOURS: '0.5' } },
  refunds: {
    operations: refundScenario,
    length: 1,
    findUndone: (simulation, memory) => [...findUndone(simulation, memory), ...findUnequalSums(simulation)],
  },
  queue: {
    operations: queueScenario,
    length: 5,
    findUndone: (simulation, memory) => [...findUndone(simulation, memory), ...findUndrawn(simulation)],
  },
  waiting: {
    operations: waitingScenario,
    length: 1,
    findUndone: (simulation, memory) => [
      ...findUndone(simulation, memory),
      ...findWronglyOffered(simulation),
    ],
    settings: { OFFER_HOURS: '24' },
  },
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

export interface HistoryOptions {
  seed: number;
  scenario: ScenarioName;
  /** The number of operations. Default: that of the scenario */
  length?: number;
  /** The operations to leave out, by their numbers from 1 on. */
  without?: ReadonlySet<number>;
  /** The kinds of faults to leave out. */
  withoutFaults?: ReadonlySet<Fault>;
  /** Gets a line for each request. */
  traceTo?: (line: string) => void;
  logTo?: (line: string) => void;
}

export interface HistoryResult {
  seed: number;
  scenario: ScenarioName;
  /** The violated invariant; undefined when all hold. */
  violation: string | undefined;
  details: string | undefined;
  story: string[];
  /** The same for two runs of the same seed. */
  digest: string;
  /** The operations that ran, by number, and the faults that were injected at least once. */
  ran: number[];
  requests: number;
  /** The pairs of operations that met on one order. */
  pairs: string[];
  counts: Partial<Record<Counted, number>>;
}

export async function runHistory(
  program: Program,
  world: World,
  options: HistoryOptions,
): Promise<HistoryResult> {
  const seed = `history ${options.seed}`;
  const random = new Random(seed);
  const rates: Rates = drawRates(random.child('rates'));
  for (const fault of options.withoutFaults ?? []) rates[fault] = noFaults[fault];
  const scenario: Scenario = scenarios[options.scenario];
  const settings = {
    PAYOUTS_FROM: random.child('payouts').pick(['sale', 'event']),
    PAYOUT_HOLD_DAYS: random.child('hold').pick(['0', '2']),
    OFFER_HOURS: random.child('offers').pick(['0.5', '0.5', '24']),
    STEP_UP: random.child('step-up').pick(['false', 'true']),
    NEW_ACCOUNT_HOURS: random.child('accounts').pick(['0', '1']),
    VERIFY_WITH_GATEWAY: random.child('verify').pick(['false', 'true']),
    ...scenario.settings,
  };
  const people = structuredClone(world.people);
  const ownWorld = { ...world, people };
  const simulation = new Simulation({
    seed,
    program,
    table: world.table.copy(),
    start: world.start,
    rates,
    settings,
    liar: random.child('liar').chance(0.4),
  });
  simulation.traceTo = options.traceTo;
  const memory = newMemory();
  const safety = new Safety(simulation, ownWorld, memory);
  simulation.onStep = () => safety.check();
  simulation.chain.onReceive = (raw) => safety.checkSent(raw);
  simulation.onAnswer = (...given) => safety.checkAnswer(...given);
  simulation.environments.onLog = (line) => {
    options.logTo?.(line);
    safety.checkLog(line);
  };
  simulation.tell(`settings ${JSON.stringify(settings)}`);
  simulation.tell(
    `faults ${JSON.stringify(Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate > 0)))}`,
  );
  simulation.startSweeps();
  const ran: number[] = [];
  const state = { open: 0, hasEnded: false };
  runOperations({ simulation, world: ownWorld, memory }, options, ran, state);
  const isOver = () => simulation.violation !== undefined;
  await simulation.kernel.runUntil(() => isOver() || (state.hasEnded && state.open === 0));
  const findMissing = () => scenario.findUndone(simulation, memory);
  if (!isOver()) await requireLiveness(simulation, findMissing, isOver);
  const [violation, ...details] = simulation.violation?.message.split('\n') ?? [];
  return {
    seed: options.seed,
    scenario: options.scenario,
    violation,
    details: details.join('\n') || undefined,
    story: simulation.story,
    digest: simulation.digest(),
    ran,
    requests: simulation.requests,
    pairs: [...memory.pairs],
    counts: Object.fromEntries(memory.counts),
  };
}

/** Starts the operations, one after the other or at the same time. Each has its own randomness. */
function runOperations(
  context: Pick<Actor, 'simulation' | 'world' | 'memory'>,
  { scenario, length = scenarios[scenario].length, without }: HistoryOptions,
  ran: number[],
  state: { open: number; hasEnded: boolean },
): void {
  const { simulation } = context;
  const start = (cause: Cause, name: string, run: (actor: Actor) => Promise<void>) => {
    state.open++;
    const tell = (text: string) => simulation.tell(`${cause.name} ${text}`);
    runAs(cause, () => run({ ...context, random: cause.random, tell }))
      .catch((error) => simulation.violate('the simulation itself works', `${name}: ${error?.stack}`))
      .finally(() => {
        state.open--;
      });
  };
  // In half of the histories the organizer has an endpoint for everything from the start.
  const first = newCause('0', simulation.seed);
  if (first.random.chance(0.5)) start(first, 'create endpoint', (actor) => createEndpoint(actor, true));
  const choices = scenarios[scenario].operations.map((operation) => [operation.weight, operation] as const);
  const startNext = (number: number) => {
    if (number > length) {
      state.hasEnded = true;
      return;
    }
    const cause = newCause(`${number}`, simulation.seed);
    const operation = cause.random.weighted(choices);
    const pause = cause.random.weighted([
      [5, 0],
      [3, 200],
      [3, 5_000],
      [1, 120_000],
    ]);
    simulation.kernel.after(cause.random.below(pause + 1), () => {
      startNext(number + 1);
      if (without?.has(number)) return;
      ran.push(number);
      start(cause, operation.name, operation.run);
    });
  };
  startNext(1);
}

/** Ends all faults. Then everything that is due has to be done within some hours of simulated time. */
async function requireLiveness(
  simulation: Simulation,
  findMissing: () => string[],
  isOver: () => boolean,
): Promise<void> {
  simulation.tell('the faults end');
  simulation.endFaults();
  const deadLetters = simulation.queues.deadLetters.length;
  const end = simulation.kernel.now + livenessHours * 3_600_000;
  // A check takes longer than a step, so it is not made after each.
  let nextCheck = 0;
  await simulation.kernel.runUntil(() => {
    if (isOver()) return true;
    // The work on waiting lists goes on every minute, so it is at rest only in between.
    if (simulation.kernel.now < nextCheck || !isAtRest(simulation)) return false;
    nextCheck = simulation.kernel.now + 20_000;
    return findMissing().length === 0;
  }, end);
  if (isOver()) return;
  if (simulation.queues.deadLetters.length > deadLetters) {
    const { queue, body } = simulation.queues.deadLetters[deadLetters] as { queue: string; body: string };
    simulation.violate('no dead letters after the faults', `${queue} ${body}`);
  }
  const undone = findMissing();
  if (undone.length > 0) simulation.violate('everything due is done', undone.join('; '));
  else if (!isAtRest(simulation))
    simulation.violate('everything comes to rest', 'queues or webhooks never end');
}

/** Whether nothing is under way. A payout may wait for its organizer's next sales, and asks again and again. */
function isAtRest(simulation: Simulation): boolean {
  const isWaiting = simulation.all('PAYOUT').some(({ isUncovered }) => isUncovered);
  return simulation.isQuiet || (isWaiting && simulation.environments.isIdle);
}
