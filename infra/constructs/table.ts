import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { table as shape } from '../../shared/dynamo/keys.ts';
import type { StageConfiguration } from '../stages.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The one table, as shared/dynamo/keys.ts describes it. `Table`, not `TableV2`: a global table of one region is
 * no better, and emulators don't know it.
 */
export function createTable(scope: Construct, stage: StageConfiguration): Table {
  const table = new Table(scope, 'Table', {
    partitionKey: text(shape.partitionKey),
    sortKey: text(shape.sortKey),
    timeToLiveAttribute: shape.timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: stage.keepData,
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  for (const index of shape.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
  return table;
}

/** The table that serves: the stack's own, unless a restored one took over. */
export function servingTable(scope: Construct, own: Table, { restoredTable }: StageConfiguration): ITable {
  return restoredTable ? Table.fromTableName(scope, 'RestoredTable', restoredTable) : own;
}
