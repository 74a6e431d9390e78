import { type Actor, newMemory } from './actor.ts';
import { runAs } from './core/kernel.ts';
import { Random } from './core/random.ts';
import { drawRates, type Fault, noFaults, type Rates } from './core/rates.ts';
import { newCause, type Program, Simulation } from './core/simulation.ts';
import { findUndone, livenessHours, Safety } from './invariants.ts';
import { operations } from './operations.ts';
import type { World } from './world.ts';

export interface HistoryOptions {
  seed: number;
  /** The number of operations. */
  length: number;
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
  const settings = {
    PAYOUTS_FROM: random.child('payouts').pick(['sale', 'event']),
    PAYOUT_HOLD_DAYS: random.child('hold').pick(['0', '2']),
    VERIFY_WITH_GATEWAY: random.child('verify').pick(['false', 'true']),
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
  if (!isOver()) await requireLiveness(simulation, memory, isOver);
  const [violation, ...details] = simulation.violation?.message.split('\n') ?? [];
  return {
    seed: options.seed,
    violation,
    details: details.join('\n') || undefined,
    story: simulation.story,
    digest: simulation.digest(),
    ran,
    requests: simulation.requests,
    pairs: [...memory.pairs],
  };
}

/** Starts the operations, one after the other or at the same time. Each has its own randomness. */
function runOperations(
  context: Pick<Actor, 'simulation' | 'world' | 'memory'>,
  { length, without }: HistoryOptions,
  ran: number[],
  state: { open: number; hasEnded: boolean },
): void {
  const { simulation } = context;
  const choices = operations.map((operation) => [operation.weight, operation] as const);
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
      state.open++;
      const tell = (text: string) => simulation.tell(`${number} ${text}`);
      runAs(cause, () => operation.run({ ...context, random: cause.random, tell }))
        .catch((error) =>
          simulation.violate('the simulation itself works', `${operation.name}: ${error?.stack}`),
        )
        .finally(() => {
          state.open--;
        });
    });
  };
  startNext(1);
}

/** Ends all faults. Then everything that is due has to be done within some hours of simulated time. */
async function requireLiveness(
  simulation: Simulation,
  memory: Parameters<typeof findUndone>[1],
  isOver: () => boolean,
): Promise<void> {
  simulation.tell('the faults end');
  simulation.endFaults();
  const deadLetters = simulation.queues.deadLetters.length;
  const end = simulation.kernel.now + livenessHours * 3_600_000;
  const isDone = () => isAtRest(simulation) && findUndone(simulation, memory).length === 0;
  // A check takes longer than a step, so it is not made after each.
  let nextCheck = 0;
  await simulation.kernel.runUntil(() => {
    if (isOver()) return true;
    if (simulation.kernel.now < nextCheck) return false;
    nextCheck = simulation.kernel.now + 20_000;
    return isDone();
  }, end);
  if (isOver()) return;
  if (simulation.queues.deadLetters.length > deadLetters) {
    const { queue, body } = simulation.queues.deadLetters[deadLetters] as { queue: string; body: string };
    simulation.violate('no dead letters after the faults', `${queue} ${body}`);
  }
  const undone = findUndone(simulation, memory);
  if (undone.length > 0) simulation.violate('everything due is done', undone.join('; '));
  else if (!isAtRest(simulation))
    simulation.violate('everything comes to rest', 'queues or webhooks never end');
}

/** Whether nothing is under way. A payout may wait for its organizer's next sales, and asks again and again. */
function isAtRest(simulation: Simulation): boolean {
  const isWaiting = simulation.all('PAYOUT').some(({ isUncovered }) => isUncovered);
  return simulation.isQuiet || (isWaiting && simulation.environments.isIdle);
}
