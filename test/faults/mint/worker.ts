import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handler as fulfilOrders } from '../../../functions/workers/fulfil-orders.ts';
import { handler as mintTickets } from '../../../functions/workers/mint-tickets.ts';

/** A worker process that tests can kill. It polls both queues and calls the real handlers. */

const pollMilliseconds = 200;
/** The maximum number of receive calls per batch, of ten messages each. */
const maxReceives = 4;
const client = new SQSClient({});

async function pollQueue(
  queueUrl: string,
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
): Promise<never> {
  for (;;) {
    const messages: Message[] = [];
    for (let count = 0; count < maxReceives && messages.length === 10 * count; count++) {
      messages.push(...(await receive(queueUrl)));
    }
    if (messages.length > 0) await processBatch(queueUrl, messages, handler);
    else await sleep(pollMilliseconds);
  }
}

async function receive(QueueUrl: string): Promise<Message[]> {
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, AttributeNames: ['All'] });
  return (await client.send(command)).Messages ?? [];
}

async function processBatch(
  queueUrl: string,
  messages: Message[],
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
): Promise<void> {
  const Records = messages.map(({ MessageId, Body, Attributes }) => ({
    messageId: MessageId,
    body: Body,
    attributes: Attributes,
  }));
  const response = await handler({ Records } as unknown as SQSEvent).catch(() => undefined);
  if (!response) return;
  const failedIds = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const processed = messages
    .filter(({ MessageId = '' }) => !failedIds.has(MessageId))
    .map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
  for (let start = 0; start < processed.length; start += 10) {
    const Entries = processed.slice(start, start + 10);
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  }
}

const { FULFIL_ORDERS_QUEUE_URL = '', MINT_TICKETS_QUEUE_URL = '', POLLERS } = process.env;
for (let count = 0; count < Number(POLLERS ?? 1); count++)
  void pollQueue(MINT_TICKETS_QUEUE_URL, mintTickets);
void pollQueue(FULFIL_ORDERS_QUEUE_URL, fulfilOrders as (event: SQSEvent) => Promise<SQSBatchResponse>);
