import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type ResourceName, required } from './env.ts';

/** What each queue carries. Messages name things; workers read how things stand from the table. */
export interface Messages {
  /** An order that was paid. */
  fulfil: { orderId: string; eventId: string; userId: string };
  /** An order whose tickets are to be minted, one whose tickets are to be burned, or a nonce to look at again. */
  mint: { orderId: string } | { burnOrderId: string } | { chainId: number; signer: string; nonce: number };
  /** Money to be sent: a payout to an organizer, or the refund of an order to its buyer. */
  payout: { payoutId: string } | { orderId: string };
}

const urls: Record<keyof Messages, ResourceName> = {
  fulfil: 'FULFIL_QUEUE_URL',
  mint: 'MINT_QUEUE_URL',
  payout: 'PAYOUT_QUEUE_URL',
};

const client = new SQSClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/** Sends a message, to be seen after `delaySeconds` (0 to 900). @throws when the queue does not take it */
export async function send<Queue extends keyof Messages>(
  queue: Queue,
  message: Messages[Queue],
  delaySeconds = 0,
): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: required(urls[queue]),
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
}

/** Sends many messages, ten to a request. @throws when the queue does not take one of them */
export async function sendAll<Queue extends keyof Messages>(
  queue: Queue,
  messages: readonly Messages[Queue][],
): Promise<void> {
  for (let start = 0; start < messages.length; start += 10) {
    const batch = messages.slice(start, start + 10);
    const { Failed } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: required(urls[queue]),
        Entries: batch.map((message, at) => ({ Id: String(at), MessageBody: JSON.stringify(message) })),
      }),
    );
    if (Failed?.length) throw new Error(`The queue refused ${Failed.length} messages: ${Failed[0]?.Code}`);
  }
}
