import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { handler as fulfilOrders } from '../../functions/workers/fulfil-orders.ts';
import { handler as mintTickets } from '../../functions/workers/mint-tickets.ts';
import { handler as sendMail } from '../../functions/workers/send-mail.ts';
import { extendTableTimeouts } from '../support/table-timeouts.ts';
import { skewClock } from './skew-clock.ts';

/**
 * A worker process that tests can kill. It polls its queues and calls the real handlers, with POLLERS loops for each
 * queue. With UNTIL_EMPTY it polls one queue after the other, and exits when they are empty.
 */

const { QUEUES = '[]', POLLERS = '1', UNTIL_EMPTY, CLOCK_SKEW } = process.env;
const handlers = { 'fulfil-orders': fulfilOrders, 'mint-tickets': mintTickets, 'send-mail': sendMail };
const queues = JSON.parse(QUEUES) as [name: keyof typeof handlers, url: string][];
const pollMilliseconds = 200;
// Directly, since the faults are in the calls of the handlers.
const client = new SQSClient({ endpoint: new URL(queues[0]?.[1] ?? '').origin });

skewClock(Number(CLOCK_SKEW ?? 0));
extendTableTimeouts();
const polls = queues.map(([name, url]) => {
  // biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
  const handler = handlers[name] as any;
  const { batchSize = 1 } = handler.definition;
  return () => processBatch(url, handler, batchSize);
});
if (UNTIL_EMPTY) void pollUntilEmpty();
else {
  for (const poll of polls) for (let poller = 0; poller < Number(POLLERS); poller++) void pollForEver(poll);
}

async function pollUntilEmpty(): Promise<never> {
  for (let count = 1; count > 0; ) {
    count = 0;
    for (const poll of polls) count += await poll();
  }
  process.exit(0);
}

async function pollForEver(poll: () => Promise<number>): Promise<never> {
  for (;;) if ((await poll()) === 0) await sleep(pollMilliseconds);
}

/** Receives a batch as large as on AWS, and deletes the messages that were processed. @returns the number of messages */
async function processBatch(
  QueueUrl: string,
  handler: (event: object) => Promise<{ batchItemFailures: { itemIdentifier: string }[] }>,
  batchSize: number,
): Promise<number> {
  const messages: Message[] = [];
  for (let isFull = true; isFull && messages.length < batchSize; ) {
    const MaxNumberOfMessages = Math.min(10, batchSize - messages.length);
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages, AttributeNames: ['All'] }),
    );
    messages.push(...Messages);
    isFull = Messages.length === MaxNumberOfMessages;
  }
  if (messages.length === 0) return 0;
  const Records = messages.map(({ MessageId: messageId, Body: body, Attributes: attributes }) => {
    return { messageId, body, attributes };
  });
  const response = await handler({ Records }).catch(() => undefined);
  const failed = new Set(response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const processed = response ? messages.filter(({ MessageId = '' }) => !failed.has(MessageId)) : [];
  const entries = processed.map(({ MessageId: Id, ReceiptHandle }) => ({ Id, ReceiptHandle }));
  for (let start = 0; start < entries.length; start += 10) {
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: entries.slice(start, start + 10) }));
  }
  return messages.length;
}
