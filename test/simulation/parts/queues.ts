import { createHash } from 'node:crypto';
import type { Cause } from '../core/kernel.ts';
import { Random } from '../core/random.ts';
import type { PartOptions } from '../core/rates.ts';

interface Message {
  id: string;
  body: string;
  receives: number;
  /** When it may be delivered; it arrives later. */
  deliverableAt: number;
  visibleAt: number;
}

export interface QueueWorker {
  functionName: string;
  batchSize: number;
  timeoutSeconds: number;
}

/** Invokes a worker. @returns the ids of the messages that failed */
type Invoke = (functionName: string, event: object, causeName: string) => Promise<Set<string> | 'all'>;

/** A short name that its cause decides. */
function nameAfter(queue: string, cause: string): string {
  return `${queue}~${createHash('md5').update(cause).digest('hex').slice(0, 8)}`;
}

/** SQS: delivers at least once, in batches, late, twice, and in any order. */
export class Queues {
  readonly #options: PartOptions & { workers: Map<string, QueueWorker>; invoke: Invoke };
  readonly #messages = new Map<string, Message[]>();
  /** The messages that failed five times. */
  readonly deadLetters: { queue: string; body: string }[] = [];
  /** The number of batches that a worker has at present. */
  running = 0;

  constructor(options: PartOptions & { workers: Map<string, QueueWorker>; invoke: Invoke }) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.running === 0 && [...this.#messages.values()].every(({ length }) => length === 0);
  }

  /** @param sender its number of requests names the message, so that it has the same randomness in a shorter history */
  send(queue: string, { body, delaySeconds }: { body: string; delaySeconds: number }, sender: Cause): string {
    const id = this.#options.kernel.uniqueName(nameAfter(queue, `${sender.name}.${sender.requests}.${body}`));
    const random = new Random(`${this.#options.seed}/${id}`);
    const deliverableAt = this.#options.kernel.now + 1000 * delaySeconds;
    const message = { id, body, receives: 0, deliverableAt, visibleAt: deliverableAt };
    this.#add(queue, message, random);
    // Rarer than with webhooks: each check of a nonce sends the next one.
    if (random.chance(this.#options.rates.double / 5)) {
      this.#add(queue, { ...message, id: `${id}-again` }, random.child('again'));
    }
    return id;
  }

  #add(queue: string, message: Message, random: Random): void {
    const messages = this.#messages.get(queue) ?? [];
    this.#messages.set(queue, messages);
    messages.push(message);
    const late = random.chance(this.#options.rates.late) ? random.below(90_000) : random.below(60);
    message.visibleAt += late;
    this.#schedule(queue, message);
  }

  #schedule(queue: string, message: Message): void {
    this.#options.kernel.at(message.visibleAt, () => {
      const isWaiting = this.#messages.get(queue)?.includes(message);
      if (isWaiting && message.visibleAt <= this.#options.kernel.now) void this.#deliver(queue, message);
    });
  }

  async #deliver(queue: string, first: Message): Promise<void> {
    const { functionName, batchSize, timeoutSeconds } = this.#options.workers.get(queue) as QueueWorker;
    const messages = this.#messages.get(queue) as Message[];
    // A batch contains any others that were sent, or the message alone.
    const random = new Random(`${this.#options.seed}/${first.id}.${first.receives}/batch`);
    const isAlone = random.chance(0.4);
    const batch = messages
      .filter(
        (message) => message === first || (!isAlone && message.deliverableAt <= this.#options.kernel.now),
      )
      .slice(0, batchSize);
    if (!batch.includes(first)) batch[0] = first;
    for (const message of batch) {
      message.receives++;
      message.visibleAt = this.#options.kernel.now + 6000 * timeoutSeconds;
      message.deliverableAt = message.visibleAt;
      this.#schedule(queue, message);
    }
    const Records = batch.map(({ id, body, receives }) => ({
      messageId: id,
      body,
      attributes: { ApproximateReceiveCount: String(receives) },
    }));
    this.running++;
    const event = JSON.parse(JSON.stringify({ Records }));
    const failed = await this.#options.invoke(functionName, event, `${first.id}.${first.receives}`);
    this.running--;
    const isDone = (message: Message) => failed !== 'all' && !failed.has(message.id);
    const finished = batch.filter((message) => isDone(message));
    const dead = batch.filter((message) => !isDone(message) && message.receives >= 5);
    for (const { body } of dead) this.deadLetters.push({ queue, body });
    const gone = new Set([...finished, ...dead]);
    this.#messages.set(
      queue,
      (this.#messages.get(queue) as Message[]).filter((message) => !gone.has(message)),
    );
  }
}
