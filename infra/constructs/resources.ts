import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';

/** What functions share, and are granted parts of. */
export interface Resources {
  table: ITable;
  queues: Queues;
  secrets: Secrets;
}
