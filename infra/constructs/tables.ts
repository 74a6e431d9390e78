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
import { table as schema } from '../../shared/dynamo/keys.ts';
import type { StageConfiguration } from '../stages.ts';
import { removalPolicy } from './retention.ts';

const stringAttribute = (name: string) => ({ name, type: AttributeType.STRING });

/** Lists the most throttled keys. The other mode also lists the most accessed keys, but AWS charges it per request. */
const contributorInsightsSpecification = { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS };

/**
 * The stack's table, with the keys and indexes of shared/dynamo/keys.ts, and the restored table after a restore from a
 * backup. The class uses `Table`, since a `TableV2` is a global table, which has no advantage in one region and which
 * emulators don't support.
 */
export class Tables extends Construct {
  /** The table that this version of the functions reads and writes. */
  readonly current: ITable;
  /** The tables that functions have permission to use. During a switch, older versions still use the other table. */
  readonly allowed: readonly ITable[];

  constructor(scope: Construct, stage: StageConfiguration) {
    super(scope, 'Tables');
    const stackTable = createTable(scope, stage);
    const { restoredTable } = stage;
    const restored = restoredTable && Table.fromTableName(scope, 'RestoredTable', restoredTable.name);
    this.current = restored && restoredTable.serves ? restored : stackTable;
    this.allowed = restored ? [stackTable, restored] : [stackTable];
  }
}

function createTable(scope: Construct, stage: StageConfiguration): Table {
  const { keepData, warmThroughput } = stage;
  const table = new Table(scope, 'Table', {
    partitionKey: stringAttribute(schema.partitionKey),
    sortKey: stringAttribute(schema.sortKey),
    timeToLiveAttribute: schema.timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    contributorInsightsSpecification,
    warmThroughput: warmThroughput && warmCapacity(warmThroughput.table),
    deletionProtection: keepData,
    removalPolicy: removalPolicy(stage),
  });
  for (const index of schema.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: stringAttribute(index.partitionKey),
      sortKey: stringAttribute(index.sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
      contributorInsightsSpecification,
      warmThroughput: warmThroughput && warmCapacity(warmThroughput.indexes),
    });
  }
  return table;
}

const warmCapacity = ({ reads, writes }: { reads: number; writes: number }): WarmThroughput => ({
  readUnitsPerSecond: reads,
  writeUnitsPerSecond: writes,
});
