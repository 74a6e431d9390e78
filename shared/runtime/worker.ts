import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { log } from './log.ts';

/**
 * Returns a Lambda handler that handles each message of a queue by itself, and all messages of a batch concurrently.
 * SQS redelivers only the messages that fail, and moves a message to the dead-letter queue after five deliveries.
 */
export function queueWorker<Message>(handle: (message: Message) => Promise<void>) {
  return batchHandler<Message>(async (received) => {
    const failedRecords = received.map(async ({ message, record }) => {
      try {
        await handle(message);
        return [];
      } catch (error) {
        logFailure(record, error);
        return [record];
      }
    });
    return (await Promise.all(failedRecords)).flat();
  });
}

/**
 * Returns a Lambda handler that handles the messages of a batch together.
 * @param handleAll logs why messages fail, and returns the indexes of those that SQS redelivers
 */
export function batchWorker<Message>(handleAll: (messages: Message[]) => Promise<number[]>) {
  return batchHandler<Message>(async (received) => {
    const indexes = await handleAll(received.map(({ message }) => message));
    return indexes.flatMap((index) => received[index]?.record ?? []);
  });
}

interface ReceivedMessage<Message> {
  record: SQSRecord;
  message: Message;
}

/**
 * Parses the messages of a batch. A message whose body is not JSON fails without affecting the others.
 * @param handleReceived returns the records that SQS redelivers
 */
function batchHandler<Message>(
  handleReceived: (received: ReceivedMessage<Message>[]) => Promise<SQSRecord[]>,
) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const received: ReceivedMessage<Message>[] = [];
    const failedRecords: SQSRecord[] = [];
    for (const record of Records) {
      try {
        received.push({ record, message: JSON.parse(record.body) });
      } catch (error) {
        logFailure(record, error);
        failedRecords.push(record);
      }
    }
    if (received.length > 0) failedRecords.push(...(await handleReceived(received)));
    return { batchItemFailures: failedRecords.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

function logFailure({ messageId, attributes }: SQSRecord, error: unknown): void {
  const deliveries = Number(attributes.ApproximateReceiveCount);
  log.error('Message failed', error, { messageId, deliveries });
}
