import type { Messages } from './messages.ts';
import type { SecretName, SettingName } from './settings.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
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
  /** The indexes that the function may query. */
  indexes?: readonly ('byOwner' | 'byEvent' | 'byDue')[];
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
