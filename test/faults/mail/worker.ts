import type { SQSBatchResponse } from 'aws-lambda';
import { handler as fulfilOrders } from '../../../functions/workers/fulfil-orders.ts';
import { handler as sendMail } from '../../../functions/workers/send-mail.ts';
import { type Message, QueueClient } from '../../../infra/local/lambda/triggers.ts';
import { extendTableTimeouts } from '../../support/backend.ts';
import { skewClock } from './skew-clock.ts';

/** A worker process that tests can kill. It processes the messages of its queues, and exits when they are empty. */

skewClock(Number(process.env.CLOCK_SKEW));
extendTableTimeouts();
// biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
const handlers: Record<string, (event: any) => Promise<SQSBatchResponse>> = {
  'fulfil-orders': fulfilOrders,
  'send-mail': sendMail,
};
const queues: [name: string, url: string][] = JSON.parse(process.env.QUEUES ?? '[]');
const clients = queues.map(
  ([name, url]) => [name, new QueueClient(url, new AbortController().signal)] as const,
);

for (let hasMessages = true; hasMessages; ) {
  hasMessages = false;
  for (const [name, client] of clients) {
    const messages = await client.receive(10, 0);
    if (messages.length === 0) continue;
    hasMessages = true;
    // Batches as on AWS: one mail, or up to ten orders.
    for (const batch of name === 'send-mail' ? messages.map((message) => [message]) : [messages]) {
      await handlers[name]?.({ Records: batch.map(toRecord) });
    }
    // Deletes failed messages, too: the sweep queues their work again.
    await client.delete(messages);
  }
}
process.exit(0);

function toRecord({ MessageId: messageId, Body: body, Attributes: attributes }: Message) {
  return { messageId, body, attributes };
}
