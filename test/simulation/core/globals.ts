import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { currentCause, type Kernel, runAs } from './kernel.ts';
import { Random } from './random.ts';

/**
 * Replaces time, timers and randomness of this process. Import it before anything that could keep the originals: the
 * SDK, for example, keeps `crypto.randomUUID`.
 */

// For the SDK, which signs its requests although none leaves this process.
Object.assign(process.env, {
  AWS_REGION: 'eu-west-1',
  AWS_ENDPOINT_URL_SQS: 'https://sqs.test',
  AWS_ACCESS_KEY_ID: 'simulation',
  AWS_SECRET_ACCESS_KEY: 'simulation',
});

let kernel: Kernel | undefined;
let fallbackRandom = new Random('none');

/** Makes a kernel the clock of this process. */
export function useKernel(next: Kernel, random: Random): void {
  kernel = next;
  fallbackRandom = random;
}

const random = () => currentCause()?.random ?? fallbackRandom;
const RealDate = Date;
const now = () => (kernel ? Math.floor(kernel.now) + (currentCause()?.skew ?? 0) : RealDate.now());

class SimulatedDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(now());
    else super(...(parts as [string]));
  }
  static override now = now;
}
globalThis.Date = SimulatedDate as DateConstructor;
performance.now = () => now() - 1_700_000_000_000;

type Timer = ReturnType<Kernel['at']> & { unref(): Timer; ref(): Timer; hasRef(): boolean; refresh(): Timer };

function startTimer(callback: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]): Timer {
  const cause = currentCause();
  const scheduled = (kernel as Kernel).after(Math.max(milliseconds, 1), () => {
    if (cause?.isDead) return;
    if (cause) runAs(cause, () => callback(...given));
    else callback(...given);
  });
  const timer = Object.assign(scheduled, {
    unref: () => timer,
    ref: () => timer,
    hasRef: () => true,
    refresh: () => timer,
  }) as Timer;
  return timer;
}
const stopTimer = (timer: unknown) => {
  if (timer && typeof timer === 'object') (timer as Timer).isCancelled = true;
};

const timerFunctions = {
  setTimeout: startTimer,
  clearTimeout: stopTimer,
  setInterval: () => {
    throw new Error('The service has no intervals');
  },
  clearInterval: stopTimer,
  setImmediate: (callback: () => void) => startTimer(callback, 0),
  clearImmediate: stopTimer,
};
Object.assign(globalThis, timerFunctions);
// Middy imports its timers.
Object.assign(timers, timerFunctions);
Object.assign(timersPromises, {
  setTimeout: (milliseconds: number, value?: unknown) =>
    new Promise((resolve) => startTimer(() => resolve(value), milliseconds)),
});

AbortSignal.timeout = (milliseconds: number) => {
  const controller = new AbortController();
  startTimer(
    () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    milliseconds,
  );
  return controller.signal;
};

Math.random = () => random().fraction();

function fill<View extends ArrayBufferView>(view: View): View {
  random().fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return view;
}
function randomUuid(): string {
  const hex = Buffer.from(fill(new Uint8Array(16))).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
Object.assign(crypto, {
  randomBytes: (size: number) => fill(Buffer.alloc(size)),
  randomFillSync: fill,
  randomUUID: randomUuid,
  randomInt: (from: number, to?: number) =>
    to === undefined ? random().below(from) : from + random().below(to - from),
});
// `crypto.getRandomValues` calls this one.
Object.defineProperty(crypto.webcrypto, 'getRandomValues', { value: fill });
Object.defineProperty(crypto.webcrypto, 'randomUUID', { value: randomUuid });
syncBuiltinESMExports();

/** The log of the service: every line goes to the cause that writes it. */
const writeOutput = process.stdout.write.bind(process.stdout);
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = ((text: string | Uint8Array, ...rest: []) => {
    const cause = currentCause();
    if (!cause?.onLog) return write(text, ...rest);
    cause.onLog(text.toString());
    return true;
  }) as typeof stream.write;
}

/** Writes to this process's output. */
export const print = (line: string) => writeOutput(`${line}\n`);
