import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { log } from './log.ts';

/**
 * A Lambda handler for a queue: each message by itself, and one that fails is delivered again without the rest
 * of its batch. After five deliveries it rests in the dead-letter queue.
 */
export function queueWorker<Message>(take: (message: Message) => Promise<void>) {
  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const failures = await Promise.all(event.Records.map((record) => takeOne(record, take)));
    return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
  };
}

async function takeOne<Message>(record: SQSRecord, take: (message: Message) => Promise<void>) {
  try {
    await take(JSON.parse(record.body));
    return undefined;
  } catch (error) {
    log.error('Message failed', error, {
      messageId: record.messageId,
      deliveries: Number(record.attributes.ApproximateReceiveCount),
    });
    return { itemIdentifier: record.messageId };
  }
}

/**
 * A Lambda handler for a queue whose messages are worked on together.
 * @param takeAll says which messages, by their place, are to be delivered again
 */
export function batchWorker<Message>(takeAll: (messages: Message[]) => Promise<number[]>) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const failed = await takeAll(Records.map(({ body }) => JSON.parse(body)));
    return {
      batchItemFailures: failed.map((place) => ({ itemIdentifier: Records[place]?.messageId ?? '' })),
    };
  };
}
