import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueUrlVariable, requiredSetting } from './config.ts';
import type { Messages } from './messages.ts';
import { log } from './telemetry.ts';

let cachedClient: SQSClient | undefined;

/**
 * Returns the client, created at first use. The SDK sends a request up to three times, and waits 3 s for each response.
 */
function client(): SQSClient {
  if (cachedClient) return cachedClient;
  cachedClient = new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
  // This middleware copies each request and response for a logger that is not configured.
  cachedClient.middlewareStack.remove('loggerMiddleware');
  return cachedClient;
}

export interface DeliveryOptions {
  /**
   * The tenant that the message belongs to, mostly an organizer. While one tenant has a backlog, SQS delivers the
   * messages of the others first. Each message without a tenant counts as a separate tenant.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
   */
  tenant?: string;
  /** The delay before the first delivery, in seconds (0 to 900); default 0. */
  delaySeconds?: number;
}

/** Sends a message. @throws when the queue does not accept it */
export async function sendMessage<Queue extends keyof Messages>(
  queue: Queue,
  message: Messages[Queue],
  delivery: DeliveryOptions = {},
): Promise<void> {
  const QueueUrl = requiredSetting(queueUrlVariable(queue));
  await client().send(new SendMessageCommand({ QueueUrl, ...toEntry(message, delivery) }));
}

/** Sends many messages, ten to a request. @throws when the queue does not accept one of them */
export async function sendMessages<Queue extends keyof Messages>(
  queue: Queue,
  messages: readonly (DeliveryOptions & { message: Messages[Queue] })[],
): Promise<void> {
  if (messages.length === 0) return;
  const QueueUrl = requiredSetting(queueUrlVariable(queue));
  for (let start = 0; start < messages.length; start += 10) {
    const Entries = messages
      .slice(start, start + 10)
      .map(({ message, ...delivery }, index) => ({ Id: String(index), ...toEntry(message, delivery) }));
    const { Failed } = await client().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed?.length) throw new Error(`The queue refused ${Failed.length} messages: ${Failed[0]?.Code}`);
  }
}

/**
 * Primes the client (see prime.ts) with requests that SQS refuses: a message without a body, a batch without messages.
 */
export async function primeQueue(queue: keyof Messages): Promise<void> {
  const QueueUrl = requiredSetting(queueUrlVariable(queue));
  await Promise.allSettled([
    client().send(new SendMessageCommand({ QueueUrl, MessageBody: '' })),
    client().send(new SendMessageBatchCommand({ QueueUrl, Entries: [] })),
  ]);
}

function toEntry(message: object, { tenant, delaySeconds }: DeliveryOptions) {
  return { MessageBody: JSON.stringify(message), DelaySeconds: delaySeconds, MessageGroupId: tenant };
}

/** The maximum delay of a message in SQS. */
const maximumDelaySeconds = 900;

/**
 * Queues a payout or a refund for the time when it is due (epoch milliseconds). The sweep finds every due payout and
 * refund, so this message may be lost. No message is sent when the delay would exceed the maximum.
 */
export async function queueWhenDue(
  message: Messages['send-money'],
  dueTime: number,
  tenant: string,
): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((dueTime - Date.now()) / 1000));
  if (delaySeconds > maximumDelaySeconds) return;
  try {
    await sendMessage('send-money', message, { tenant, delaySeconds });
  } catch (error) {
    log.error('Payout or refund could not be queued', error, message);
  }
}
