import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Currency } from '../core/money.ts';
import { type ResourceName, requiredSetting } from './config.ts';
import { log } from './log.ts';

/** A payment that was returned or disputed at the gateway, identified by our reference or the gateway's id. */
type ReportedReturn = {
  returnedAt: 'gateway-a' | 'gateway-b' | 'gateway-c';
  reference?: string;
  transactionId?: string;
  isDispute: boolean;
  disputeId?: string;
  isDisputeWon?: boolean;
};

/** The earnings of an event in one currency, to release after the event's end. */
type EndedEvent = { organizerId: string; endedEventId: string; currency: Currency };

/** The messages of each queue. Messages contain ids only; workers read the current state from the table. */
export interface Messages {
  /** An order that was paid. */
  fulfil: { orderId: string; eventId: string; userId: string };
  /** An order to mint tickets for, a burn (for its id see tickets/burning/burn.ts), or a nonce to check. */
  mint: { orderId: string } | { burnOrderId: string } | { chainId: number; signer: string; nonce: number };
  /**
   * A payout to an organizer, the refund of an order, a reported return of a payment, or the earnings of an event that
   * has ended. `lease` is the due time that the sweep set, see payouts/send-payout.ts.
   */
  payout: { payoutId: string; lease?: string } | { orderId: string } | ReportedReturn | EndedEvent;
  /** An unpaid order whose hold ended, or whose payment on a chain has to be checked. */
  settle: { orderId: string };
  /**
   * Work on all orders of an event, see event-jobs/event-job.ts, or a check of its contract; or the removal of a
   * person's data, see privacy/erasure.ts.
   */
  event:
    | { eventId: string; kind: 'cancel' | 'mint-again' | 'announce-move' | 'delete' | 'check-contract' }
    | { eraseUserId: string };
  /** A mail in the outbox, see mail/mail.ts. */
  mail: { mailId: string };
}

const queueUrlSettings: Record<keyof Messages, ResourceName> = {
  fulfil: 'FULFIL_QUEUE_URL',
  mint: 'MINT_QUEUE_URL',
  payout: 'PAYOUT_QUEUE_URL',
  settle: 'SETTLE_QUEUE_URL',
  event: 'EVENT_QUEUE_URL',
  mail: 'MAIL_QUEUE_URL',
};

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
  const QueueUrl = requiredSetting(queueUrlSettings[queue]);
  await client().send(new SendMessageCommand({ QueueUrl, ...toEntry(message, delivery) }));
}

/** Sends many messages, ten to a request. @throws when the queue does not accept one of them */
export async function sendMessages<Queue extends keyof Messages>(
  queue: Queue,
  messages: readonly (DeliveryOptions & { message: Messages[Queue] })[],
): Promise<void> {
  const QueueUrl = requiredSetting(queueUrlSettings[queue]);
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
  const QueueUrl = requiredSetting(queueUrlSettings[queue]);
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
  message: Messages['payout'],
  dueTime: number,
  tenant: string,
): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((dueTime - Date.now()) / 1000));
  if (delaySeconds > maximumDelaySeconds) return;
  try {
    await sendMessage('payout', message, { tenant, delaySeconds });
  } catch (error) {
    log.error('Payout or refund could not be queued', error, message);
  }
}
