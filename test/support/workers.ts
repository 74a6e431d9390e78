import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { handler as fulfilOrders } from '../../functions/workers/fulfil-orders.ts';
import { handler as mintTickets } from '../../functions/workers/mint-tickets.ts';
import { handler as runEventJobs } from '../../functions/workers/run-event-jobs.ts';
import { handler as sendMoney } from '../../functions/workers/send-money.ts';
import { handler as settleOrders } from '../../functions/workers/settle-orders.ts';
import type { QueueName } from '../../infra/functions.ts';
import type { Backend } from './backend.ts';

// biome-ignore lint/suspicious/noExplicitAny: handlers have different event types
const handlers: { [Queue in QueueName]?: any } = {
  'run-event-jobs': runEventJobs,
  'settle-orders': settleOrders,
  'fulfil-orders': fulfilOrders,
  'send-money': sendMoney,
  'mint-tickets': mintTickets,
};

/**
 * Delivers the queues' messages to the workers until no message succeeds. Failed messages stay in their queue. Each
 * nonce is checked once: on a chain that mines no blocks meanwhile, each check would only send the message for the next,
 * and with many nonces the series would not end.
 */
export async function runWorkers({ queueUrls }: Backend, queues: readonly QueueName[]): Promise<void> {
  const [first = ''] = Object.values(queueUrls);
  const sqs = new SQSClient({ endpoint: new URL(first).origin });
  const checks = new Set<string>();
  for (let delivered = 1; delivered > 0; ) {
    delivered = 0;
    for (const queue of queues) {
      const QueueUrl = queueUrls[queue];
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
      );
      for (const { MessageId: messageId, Body: body = '', ReceiptHandle } of Messages) {
        if (checks.has(body)) continue;
        if ('nonce' in JSON.parse(body)) checks.add(body);
        const record = { messageId, body, attributes: { ApproximateReceiveCount: '1' } };
        const { batchItemFailures } = await handlers[queue](
          { Records: [record] },
          { getRemainingTimeInMillis: () => 60_000 },
        );
        if (batchItemFailures.length > 0) continue;
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        delivered++;
      }
    }
  }
}
