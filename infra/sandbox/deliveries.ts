import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from './journal.ts';
import type { GatewayName } from './payments.ts';

/** Seconds before each repetition of a webhook that was not answered 200; then the provider gives up. */
const retrySeconds = [1, 2, 4, 8, 16, 30];
/** Providers wait this long for an answer. */
const patienceMilliseconds = 10_000;

interface Delivery {
  id: string;
  gateway: GatewayName;
  /** The exact text that is sent, each time the same. */
  body: string;
  done: boolean;
}

/** How one call went: the service's status and body, or why there is none. */
export type Attempt = { status: number; body: string } | { error: string };

export interface DeliveryOptions {
  /** How many deliveries of the same text go out at once; default 1. */
  repeat?: number;
  delayMs?: number;
}

/** Sends webhooks until they are answered 200, also those that a restart came between. */
export class Deliveries {
  readonly #apiUrl: string;
  readonly #sign: (gateway: GatewayName, body: string) => Record<string, string>;
  readonly #journal: Journal<Delivery>;
  readonly #stopped = new AbortController();

  constructor(
    file: string,
    apiUrl: string,
    sign: (gateway: GatewayName, body: string) => Record<string, string>,
  ) {
    this.#apiUrl = apiUrl;
    this.#sign = sign;
    this.#journal = new Journal(file, ({ done }) => !done);
    for (const delivery of this.#journal.values()) void this.#retry(delivery);
  }

  /** @returns the outcome of each delivery's first attempt; failed ones go on in the background */
  async send(gateway: GatewayName, event: object, options: DeliveryOptions = {}): Promise<Attempt[]> {
    const body = JSON.stringify(event);
    const deliveries = Array.from({ length: options.repeat ?? 1 }, () => {
      const delivery = { id: randomUUID(), gateway, body, done: false };
      this.#journal.set(delivery.id, delivery);
      return delivery;
    });
    await sleep(options.delayMs ?? 0);
    return Promise.all(
      deliveries.map(async (delivery) => {
        const attempt = await this.#attempt(delivery);
        if (!isDone(attempt)) void this.#retry(delivery);
        return attempt;
      }),
    );
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #retry(delivery: Delivery): Promise<void> {
    const { signal } = this.#stopped;
    try {
      for (const seconds of retrySeconds) {
        await sleep(seconds * 1000, undefined, { signal });
        if (isDone(await this.#attempt(delivery))) return;
      }
    } catch {
      // Stopped: the journal has it for the next start.
    }
  }

  async #attempt(delivery: Delivery): Promise<Attempt> {
    const { gateway, body } = delivery;
    try {
      const response = await fetch(`${this.#apiUrl}/api/webhooks/${gateway}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#sign(gateway, body) },
        body,
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(patienceMilliseconds)]),
      });
      const attempt = { status: response.status, body: await response.text() };
      if (isDone(attempt)) this.#journal.set(delivery.id, { ...delivery, done: true });
      return attempt;
    } catch (error) {
      return { error: (error as Error).message };
    }
  }
}

function isDone(attempt: Attempt): boolean {
  return 'status' in attempt && attempt.status === 200;
}
