import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Messages } from './messages.ts';
import type { SecretName, SettingName } from './settings.ts';
import { log } from './telemetry.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
export type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject';
/** The folders of the bucket, see catalog/pictures/picture.ts. */
export type BucketFolder = 'uploads' | 'pictures';
/** A queue is named like its worker in functions/workers. */
export type QueueName = keyof Messages;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
/**
 * A route of the HTTP API. `{parameter}` matches a segment of the path, and a final `{parameter+}` all remaining
 * segments. `$default` matches requests that no other route matches.
 */
export type Route = `${Method} /${string}` | '$default';

export type Trigger =
  | { route: Route }
  /** A queue. A batch has up to `batchSize` messages, collected for up to `batchSeconds`. */
  | { queue: QueueName; batchSize: number; batchSeconds: number; maxConcurrency: number }
  /** A schedule, in minutes. */
  | { everyMinutes: number };

/** What a Lambda function may use. It has only the permissions, secrets and settings that are named here. */
export interface Resources {
  /** The DynamoDB actions that the function may use on the table. A transaction requires the actions of its parts. */
  table?: readonly TableAction[];
  /** Limits the function to the items of partitions whose keys begin with one of these. */
  tablePrefixes?: readonly string[];
  /** The indexes that the function may query. */
  indexes?: readonly ('byOwner' | 'byEvent' | 'byDue')[];
  /** What the function may do with the objects of the bucket's folders. */
  objects?: Partial<Record<BucketFolder, readonly ObjectAction[]>>;
  /** The queues that the function may send to. */
  sends?: readonly QueueName[];
  /** The secrets that the function may read, in addition to those that its caller implies. */
  secrets?: readonly SecretName[];
  settings?: readonly SettingName[];
  /** Whether the function may read the RPC endpoints of the configured chains. */
  chains?: boolean;
  /** Whether the function may send mail. */
  mail?: boolean;
  /** Default 10. */
  timeoutSeconds?: number;
  /**
   * Default 512. Lambda assigns CPU in proportion to memory, one core at 1,769 MB. The functions that are busy when a
   * sale opens or at the door have 1,024: their slowest warm calls take half as long as with 512 (docs/performance.md).
   */
  memoryMegabytes?: number;
}

/** A Lambda function apart from its code. The build, the CDK stack and the local stack read it: infra/functions.ts. */
export type FunctionDefinition = Trigger & Resources;

/** Attaches a definition to a handler. */
export function define<Handler extends object, Definition extends FunctionDefinition>(
  definition: Definition,
  handler: Handler,
) {
  return Object.assign(handler, { definition });
}

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
