import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { define, type QueueName, type Resources, type Trigger } from './function.ts';
import type { Messages } from './messages.ts';
import { log } from './telemetry.ts';

/** A worker apart from its code: its queue, and what it may use. */
type WorkerDefinition<Queue extends QueueName> = Extract<Trigger, { queue: QueueName }> &
  Resources & { queue: Queue };

/**
 * Returns a Lambda handler that handles each message of a queue by itself, and all messages of a batch concurrently.
 * SQS redelivers only the messages that fail, and moves a message to the dead-letter queue after five deliveries.
 */
export function queueWorker<Queue extends QueueName>(
  definition: WorkerDefinition<Queue>,
  handle: (message: Messages[Queue]) => Promise<void>,
) {
  const handler = batchHandler<Messages[Queue]>(async (received) => {
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
  return define(definition, handler);
}

/**
 * Returns a Lambda handler that handles the messages of a batch together.
 * @param handleAll logs why messages fail, and returns the indexes of those that SQS redelivers
 */
export function batchWorker<Queue extends QueueName>(
  definition: WorkerDefinition<Queue>,
  handleAll: (messages: Messages[Queue][]) => Promise<number[]>,
) {
  const handler = batchHandler<Messages[Queue]>(async (received) => {
    const indexes = await handleAll(received.map(({ message }) => message));
    return indexes.flatMap((index) => received[index]?.record ?? []);
  });
  return define(definition, handler);
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
