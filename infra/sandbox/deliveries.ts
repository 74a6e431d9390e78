import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayName, Records } from './payments.ts';

/** Seconds before each retry of a webhook that got no 200. After the last retry the provider gives up. */
const retrySeconds = [1, 2, 4, 8, 16, 30];
/** The time that providers wait for a response. */
const timeoutMilliseconds = 10_000;

interface Delivery {
  id: string;
  gateway: GatewayName;
  /** The exact body, which every attempt sends. */
  body: string;
  /** Whether the response was a 200, or the provider has given up. */
  done: boolean;
}

/** The result of one attempt: the response's status and body, or the reason why there is none. */
export type Attempt = { status: number; body: string } | { error: string };

export interface DeliveryOptions {
  /** The number of concurrent deliveries of the same body; default 1. */
  repeat?: number;
  /** The delay before the deliveries. */
  delayMs?: number;
}

/** Sends webhooks, and retries until the response is a 200 or the provider gives up. Resumes after a restart. */
export class Deliveries {
  readonly #apiUrl: string;
  readonly #sign: (gateway: GatewayName, body: string) => Record<string, string>;
  readonly #records: Records<Delivery>;
  readonly #stopped = new AbortController();

  constructor(
    file: string | undefined,
    apiUrl: string,
    sign: (gateway: GatewayName, body: string) => Record<string, string>,
  ) {
    this.#apiUrl = apiUrl;
    this.#sign = sign;
    this.#records = new Records('delivery', file);
    for (const delivery of this.#records.values()) if (!delivery.done) void this.#retry(delivery);
  }

  /** @returns the result of each delivery's first attempt; failed deliveries are retried in the background */
  async send(gateway: GatewayName, event: object, options: DeliveryOptions = {}): Promise<Attempt[]> {
    const body = JSON.stringify(event);
    const deliveries = Array.from({ length: options.repeat ?? 1 }, () => {
      const delivery = { id: randomUUID(), gateway, body, done: false };
      this.#records.set(delivery.id, delivery);
      return delivery;
    });
    await sleep(options.delayMs ?? 0);
    return Promise.all(
      deliveries.map(async (delivery) => {
        const attempt = await this.#attempt(delivery);
        if (!isSuccess(attempt)) void this.#retry(delivery);
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
        if (isSuccess(await this.#attempt(delivery))) return;
      }
      signal.throwIfAborted();
      this.#end(delivery);
    } catch {
      // Stopped: the next start resumes the delivery.
    }
  }

  async #attempt(delivery: Delivery): Promise<Attempt> {
    const { gateway, body } = delivery;
    try {
      const response = await fetch(`${this.#apiUrl}/api/webhooks/${gateway}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#sign(gateway, body) },
        body,
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMilliseconds)]),
      });
      const attempt = { status: response.status, body: await response.text() };
      if (isSuccess(attempt)) this.#end(delivery);
      return attempt;
    } catch (error) {
      return { error: (error as Error).message };
    }
  }

  #end(delivery: Delivery): void {
    this.#records.set(delivery.id, { ...delivery, done: true });
  }
}

function isSuccess(attempt: Attempt): boolean {
  return 'status' in attempt && attempt.status === 200;
}
