import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { log } from './log.ts';

/**
 * Makes a Lambda handler for a queue whose messages are worked on one by one, all of a batch at the same time. A message
 * that fails is delivered again without the rest of its batch; after five deliveries it goes to the dead-letter queue.
 */
export function queueWorker<Message>(take: (message: Message) => Promise<void>) {
  return batchHandler<Message>(async (received) => {
    const failed = received.map(async ({ message, record }) => {
      try {
        await take(message);
        return [];
      } catch (error) {
        logFailure(record, error);
        return [record];
      }
    });
    return (await Promise.all(failed)).flat();
  });
}

/**
 * Makes a Lambda handler for a queue whose messages are worked on together.
 * @param takeAll returns the places of the messages that are delivered again; it logs why
 */
export function batchWorker<Message>(takeAll: (messages: Message[]) => Promise<number[]>) {
  return batchHandler<Message>(async (received) => {
    const places = await takeAll(received.map(({ message }) => message));
    return places.flatMap((place) => received[place]?.record ?? []);
  });
}

interface Received<Message> {
  record: SQSRecord;
  message: Message;
}

/** A message whose body is no JSON fails by itself. @param work returns the records that are delivered again */
function batchHandler<Message>(work: (received: Received<Message>[]) => Promise<SQSRecord[]>) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const received: Received<Message>[] = [];
    const failed: SQSRecord[] = [];
    for (const record of Records) {
      try {
        received.push({ record, message: JSON.parse(record.body) });
      } catch (error) {
        logFailure(record, error);
        failed.push(record);
      }
    }
    if (received.length > 0) failed.push(...(await work(received)));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

function logFailure({ messageId, attributes }: SQSRecord, error: unknown): void {
  const deliveries = Number(attributes.ApproximateReceiveCount);
  log.error('Message failed', error, { messageId, deliveries });
}
