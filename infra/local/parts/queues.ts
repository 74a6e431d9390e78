import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type FunctionRow, functionName, type QueueName } from '../../functions.ts';
import type { DeployedFunction } from '../lambda/execution-environment.ts';
import type { Invoke } from '../lambda/lambda.ts';
import type { Answer } from '../lambda/worker.ts';
import { accountId, region } from './aws.ts';
import { type Message, QueueClient } from './queue-client.ts';

type QueueTrigger = Extract<FunctionRow['trigger'], { queue: QueueName }>;

export interface Source {
  functionName: string;
  trigger: QueueTrigger;
  queueUrl: string;
  invoke: Invoke;
  /** The maximum of concurrent batches. */
  concurrency: number;
}

/** Lambda's event source mapping of one queue: gathers batches, calls the function, deletes what succeeded. */
export class QueuePoller {
  readonly #source: Source;
  readonly #client: QueueClient;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(source: Source) {
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
      if (!messages?.length) continue;
      const work = this.#handle(messages).finally(() => this.#running.delete(work));
      this.#running.add(work);
      if (this.#running.size >= this.#source.concurrency) await Promise.race(this.#running);
    }
  }

  /**
   * Waits for one message, then for a batch. It needs two calls, because the server here answers a long poll only once
   * it has as many messages as requested, while SQS answers once it has any. The second call's wait is the mapping's
   * batching window.
   */
  async #receiveBatch(): Promise<Message[]> {
    const { batchSize, batchSeconds } = this.#source.trigger;
    const first = await this.#client.receive(1, 20);
    if (first.length === 0 || batchSize === 1) return first;
    return [...first, ...(await this.#client.receive(Math.min(batchSize, 10) - 1, batchSeconds))];
  }

  async #handle(messages: Message[]): Promise<void> {
    const { functionName, invoke, trigger } = this.#source;
    const event: SQSEvent = { Records: messages.map((message) => toSqsRecord(message, trigger.queue)) };
    const failed = failedMessageIds(await invoke(functionName, event));
    const done = messages.filter(({ MessageId }) => failed !== 'all' && !failed.has(MessageId));
    // A message that is not deleted is delivered again, as on AWS.
    if (done.length > 0) await this.#client.delete(done).catch(() => {});
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
    const concurrency = deployed.find((candidate) => candidate.name === name)?.concurrency ?? 1;
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

/** Returns the ids of the failed messages: all when the function failed or returned an empty id, as on AWS. */
function failedMessageIds(answer: Answer): Set<string> | 'all' {
  if ('failure' in answer) return 'all';
  const response: SQSBatchResponse | null = JSON.parse(answer.payload);
  const ids = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return ids.every(Boolean) ? new Set(ids) : 'all';
}
