import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type FunctionRow, functionName, type QueueName } from '../../functions.ts';
import { accountId, region } from '../services/aws.ts';
import { type DeployedFunction, type Invoke, isThrottled } from './lambda.ts';
import type { InvocationResult } from './worker.ts';

/** The delay of the first call. It is short, so that work from before the start does not wait for a whole period. */
const firstRunMilliseconds = 2_000;

/** Invokes every scheduled function, as EventBridge does. @returns a function that stops the schedule */
export function startSchedule(rows: readonly FunctionRow[], invoke: Invoke): () => void {
  const timers: NodeJS.Timeout[] = [];
  for (const row of rows) {
    if (!('everyMinutes' in row.trigger)) continue;
    const { everyMinutes } = row.trigger;
    const call = () => void invokeAsynchronously(() => invoke(functionName(row), scheduledEvent()));
    timers.push(setTimeout(call, firstRunMilliseconds), setInterval(call, everyMinutes * 60_000));
  }
  return () => timers.forEach(clearTimeout);
}

/** The age at which Lambda drops a scheduled event: infra/constructs/triggers.ts. */
const maximumEventAgeMilliseconds = 60_000;

/** Repeats a throttled call, as Lambda does with asynchronous events: after 1 s, then twice as long each time. */
async function invokeAsynchronously(call: () => Promise<InvocationResult>): Promise<void> {
  const droppedAt = Date.now() + maximumEventAgeMilliseconds;
  for (let pause = 1_000; isThrottled(await call()) && Date.now() + pause < droppedAt; pause *= 2) {
    await new Promise((resolve) => setTimeout(resolve, pause).unref());
  }
}

function scheduledEvent() {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: accountId,
    time: new Date().toISOString(),
    region,
    resources: [],
    detail: {},
  };
}

type QueueTrigger = Extract<FunctionRow['trigger'], { queue: QueueName }>;

export interface QueueSource {
  functionName: string;
  trigger: QueueTrigger;
  queueUrl: string;
  invoke: Invoke;
  /** The maximum number of concurrent batches. */
  concurrency: number;
}

/** The messages that a poller receives ahead, to see whose they are. */
const maximumWaiting = 1_000;

/**
 * Lambda's event source mapping of a queue: receives batches, invokes the function, deletes the messages that
 * succeeded. While one tenant has a backlog, the messages of others come first, as in SQS's fair queues, which compare the
 * tenants' shares of the processing time.
 */
export class QueuePoller {
  readonly #source: QueueSource;
  readonly #client: QueueClient;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** The received messages that wait for the function, by their ids. */
  readonly #waiting = new Map<string, Message>();
  /** How many messages of a tenant's backlog were taken, until there is none of them left. */
  readonly #taken = new Map<string, number>();

  constructor(source: QueueSource) {
    this.#source = source;
    this.#client = new QueueClient(source.queueUrl, this.#stopped.signal);
    void this.#poll();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #poll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const messages = await this.#receiveBatch().catch(() => this.#pause());
      for (const message of messages ?? []) this.#waiting.set(message.MessageId, message);
      this.#start();
      if (this.#waiting.size >= maximumWaiting) await Promise.race(this.#running);
    }
  }

  get #isBusy(): boolean {
    return this.#running.size >= this.#source.concurrency;
  }

  #start(): void {
    while (this.#waiting.size > 0 && !this.#isBusy && !this.#stopped.signal.aborted) {
      const batch = this.#handle(this.#takeBatch()).finally(() => {
        this.#running.delete(batch);
        this.#start();
      });
      this.#running.add(batch);
    }
  }

  #takeBatch(): Message[] {
    const batch: Message[] = [];
    while (batch.length < this.#source.trigger.batchSize && this.#waiting.size > 0)
      batch.push(this.#takeNext());
    return batch;
  }

  /** Takes the first message of a tenant of whose backlog the fewest were taken. */
  #takeNext(): Message {
    const takenOf = (message: Message) => this.#taken.get(tenantOf(message)) ?? 0;
    const waiting = [...this.#waiting.values()];
    const fewest = Math.min(...waiting.map(takenOf));
    const next = waiting.find((message) => takenOf(message) === fewest) as Message;
    this.#waiting.delete(next.MessageId);
    const tenant = tenantOf(next);
    const hasBacklog = waiting.some((message) => message !== next && tenantOf(message) === tenant);
    if (hasBacklog) this.#taken.set(tenant, fewest + 1);
    else this.#taken.delete(tenant);
    return next;
  }

  /**
   * Waits for one message, then for the rest of the batch. It needs two calls, since the local server responds to a
   * long poll only when it has the requested number of messages, whereas SQS responds when it has any. The second call
   * waits for the batching window of the mapping.
   */
  async #receiveBatch(): Promise<Message[]> {
    const { batchSize, batchSeconds } = this.#source.trigger;
    const first = await this.#client.receive(1, 20);
    if (first.length === 0) return first;
    if (this.#isBusy) return [...first, ...(await this.#client.receive(10, 0))];
    if (batchSize === 1) return first;
    return [...first, ...(await this.#client.receive(Math.min(batchSize, 10) - 1, batchSeconds))];
  }

  async #handle(messages: Message[]): Promise<void> {
    const { functionName, invoke, trigger } = this.#source;
    const event: SQSEvent = { Records: messages.map((message) => toSqsRecord(message, trigger.queue)) };
    const failed = failedMessageIds(await invoke(functionName, event));
    const succeeded = messages.filter(({ MessageId }) => failed !== 'all' && !failed.has(MessageId));
    // A message that is not deleted is redelivered, as on AWS.
    if (succeeded.length > 0) await this.#client.delete(succeeded).catch(() => {});
  }

  async #pause(): Promise<undefined> {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Starts a poller for every row that reads a queue. @returns a function that stops them */
export function startPollers(
  rows: readonly FunctionRow[],
  queueUrls: Record<string, string>,
  invoke: Invoke,
  deployed: DeployedFunction[],
): () => void {
  const pollers = rows.flatMap((row) => {
    const { trigger } = row;
    if (!('queue' in trigger)) return [];
    const name = functionName(row);
    const queueUrl = queueUrls[trigger.queue] ?? '';
    const deployment = deployed.find((candidate) => candidate.name === name);
    const concurrency = Math.min(deployment?.concurrency ?? 1, trigger.maxConcurrency);
    return [new QueuePoller({ functionName: name, trigger, queueUrl, invoke, concurrency })];
  });
  return () => {
    for (const poller of pollers) poller.stop();
  };
}

function toSqsRecord(message: Message, queue: QueueName): SQSRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
    name,
    { dataType: value.DataType, stringValue: value.StringValue },
  ]);
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${queue}`,
    awsRegion: region,
  };
}

/** Each message without a tenant counts as a separate tenant. */
const tenantOf = ({ MessageId, Attributes }: Message) => Attributes.MessageGroupId ?? MessageId;

/** Returns the ids of the failed messages: all when the function failed or returned an empty id, as on AWS. */
function failedMessageIds(result: InvocationResult): Set<string> | 'all' {
  if ('failure' in result) return 'all';
  const response: SQSBatchResponse | null = JSON.parse(result.payload);
  const ids = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return ids.every(Boolean) ? new Set(ids) : 'all';
}

/** A message in SQS's JSON protocol. */
export interface Message {
  MessageId: string;
  ReceiptHandle: string;
  MD5OfBody: string;
  Body: string;
  Attributes: Record<string, string>;
  MessageAttributes?: Record<string, { DataType?: string; StringValue?: string }>;
}

/**
 * A poller's client of the SQS-compatible server. It does not use the SDK, which took a fifth of the main thread's
 * time and slowed the functions down. On AWS, the polling runs on other machines.
 */
export class QueueClient {
  readonly #queueUrl: string;
  readonly #stopped: AbortSignal;
  readonly #agent = new Agent({ keepAlive: true });

  /** @param stopped aborts the calls in progress */
  constructor(queueUrl: string, stopped: AbortSignal) {
    this.#queueUrl = queueUrl;
    this.#stopped = stopped;
  }

  /** Receives up to `count` messages, waiting up to `waitSeconds` for them. */
  async receive(count: number, waitSeconds: number): Promise<Message[]> {
    const { Messages } = await this.#call<{ Messages?: Message[] }>('ReceiveMessage', {
      MaxNumberOfMessages: count,
      WaitTimeSeconds: waitSeconds,
      AttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return Messages ?? [];
  }

  async delete(messages: readonly Message[]): Promise<void> {
    const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
    await this.#call('DeleteMessageBatch', { Entries });
  }

  #call<Result>(action: string, input: object): Promise<Result> {
    const body = JSON.stringify({ QueueUrl: this.#queueUrl, ...input });
    return new Promise((resolve, reject) => {
      request(
        this.#queueUrl,
        {
          method: 'POST',
          agent: this.#agent,
          signal: this.#stopped,
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 200) resolve(JSON.parse(text || '{}'));
            else reject(new Error(`${action} returned ${response.statusCode}: ${text}`));
          });
        },
      )
        .once('error', reject)
        .end(body);
    });
  }
}
