import type { Kernel } from './kernel.ts';
import type { Random } from './random.ts';

/** How often each fault happens, from 0 to 1. Each history draws its own rates, and many of them are 0. */
export interface Rates {
  /** The effect of a request happens, and its answer is lost. */
  lostAnswer: number;
  /** The request does not arrive. */
  lostRequest: number;
  /** The table, a queue or the mail service throttles or fails. */
  refusal: number;
  /** Another transaction is under way on an item of this one. */
  conflict: number;
  /** The answer takes up to two seconds. */
  slow: number;
  /** An execution environment is killed at one of the requests of an invocation. */
  kill: number;
  /** A message or a webhook arrives twice. */
  double: number;
  /** A message or a webhook arrives late. */
  late: number;
  /** A provider fails, refuses, or does not answer. */
  provider: number;
  /** A node of the chain fails, lags or lies; a transaction is forgotten; a block is reorganised. */
  chain: number;
  /** Indexes lag by up to some seconds. */
  indexLag: number;
  /** The clocks of environments differ, in milliseconds. */
  skew: number;
}

export type Fault = keyof Rates;

/** The rates from which each history draws. */
const choices: Record<Fault, readonly number[]> = {
  lostAnswer: [0, 0, 0.01, 0.05],
  lostRequest: [0, 0, 0.01, 0.03],
  refusal: [0, 0, 0.01, 0.05],
  conflict: [0, 0.01, 0.05, 0.2],
  slow: [0, 0.02, 0.1, 0.3],
  kill: [0, 0, 0.03, 0.15],
  double: [0, 0.05, 0.2, 0.5],
  late: [0, 0.05, 0.2, 0.5],
  provider: [0, 0, 0.05, 0.2],
  chain: [0, 0.02, 0.1, 0.2],
  indexLag: [0, 0.1, 0.5],
  skew: [0, 0, 500],
};
export const faults = Object.keys(choices) as Fault[];

const toRates = (rateOf: (fault: Fault) => number) =>
  Object.fromEntries(faults.map((fault) => [fault, rateOf(fault)])) as unknown as Rates;

export const noFaults = toRates(() => 0);
export const drawRates = (random: Random) => toRates((fault) => random.pick(choices[fault]));

/** What all parts around the service get: the queues, the providers, the chain and the environments. */
export interface PartOptions {
  kernel: Kernel;
  seed: string;
  /** Changes when the faults end. */
  rates: Rates;
  /** Tells the reader of the history. */
  tell(text: string): void;
}
