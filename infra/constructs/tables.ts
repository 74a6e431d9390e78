import {
  AttributeType,
  BillingMode,
  ContributorInsightsMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { table as shape } from '../../shared/dynamo/keys.ts';
import type { Deployment } from '../deployment.ts';
import type { StageConfiguration } from '../stages.ts';
import { removalPolicy } from './retention.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** Counts the keys that are throttled most. The mode that counts accesses too is paid for each request. */
const contributorInsightsSpecification = { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS };

/**
 * The one table, as shared/dynamo/keys.ts describes it, and beside it the one that a restore made, if there is one.
 * `Table`, not `TableV2`: a global table of one region is no better, and emulators don't know it.
 */
export class Tables extends Construct {
  /** The table that functions read and write. */
  readonly serving: ITable;
  /** All that they may use: during a switch, versions before it still use the other one. */
  readonly allowed: readonly ITable[];

  constructor(scope: Construct, stage: StageConfiguration, deployment: Deployment) {
    super(scope, 'Tables');
    const own = createTable(scope, stage, deployment);
    const { restoredTable } = stage;
    const restored = restoredTable && Table.fromTableName(scope, 'RestoredTable', restoredTable.name);
    this.serving = restored && restoredTable.serves ? restored : own;
    this.allowed = restored ? [own, restored] : [own];
  }
}

function createTable(scope: Construct, stage: StageConfiguration, { first }: Deployment): Table {
  const { keepData, warmThroughput } = stage;
  const table = new Table(scope, 'Table', {
    partitionKey: text(shape.partitionKey),
    sortKey: text(shape.sortKey),
    timeToLiveAttribute: shape.timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    contributorInsightsSpecification,
    warmThroughput: warmThroughput && warm(warmThroughput.table),
    // A protected table would keep a failed first deployment from being cleaned up.
    deletionProtection: keepData && !first,
    removalPolicy: removalPolicy(stage),
  });
  for (const index of shape.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
      contributorInsightsSpecification,
      warmThroughput: warmThroughput && warm(warmThroughput.indexes),
    });
  }
  return table;
}

const warm = ({ reads, writes }: { reads: number; writes: number }): WarmThroughput => ({
  readUnitsPerSecond: reads,
  writeUnitsPerSecond: writes,
});
