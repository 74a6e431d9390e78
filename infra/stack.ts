import { CfnOutput, Stack } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import { Alarms } from './constructs/alarms.ts';
import { Api } from './constructs/api.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { Domain } from './constructs/domain.ts';
import { Queues } from './constructs/queues.ts';
import { Secrets } from './constructs/secrets.ts';
import { createTable, servingTable } from './constructs/table.ts';
import { type FunctionRow, functions } from './functions.ts';
import { stackName } from './names.ts';
import type { StageConfiguration } from './stages.ts';

export interface BoxofficeStackProps {
  stage: StageConfiguration;
  /** The build's output folder, with one folder for each row. */
  bundles: string;
}

/** The stack of one stage: the functions of infra/functions.ts with the stage's configuration. */
export class BoxofficeStack extends Stack {
  constructor(scope: Construct, { stage, bundles }: BoxofficeStackProps) {
    super(scope, stackName(stage.name), {
      description: `boxoffice, ${stage.name}: event ticketing`,
      terminationProtection: stage.keepData,
    });
    const table = servingTable(this, createTable(this, stage), stage);
    const queues = new Queues(this, stage, functions);
    const secrets = new Secrets(this, stage, functions);
    const api = new Api(this, stage);
    const application = stage.canary ? new LambdaApplication(this, 'Deployments') : undefined;

    const shared = { stage, resources: { table, queues, secrets }, api: api.http, bundles, application };
    const domains = [...byFolder(functions)].map(
      ([folder, rows]) => new Domain(this, folder, { ...shared, rows }),
    );
    api.open(new Map(domains.flatMap(({ webhooks }) => [...webhooks])));

    const watched = { stage, rows: functions, apiId: api.http.apiId, tableName: table.tableName };
    const alarms = new Alarms(this, watched, api.accessLog);
    createDashboard(this, watched, alarms.all);

    new CfnOutput(this, 'ApiUrl', { value: api.url });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}

function byFolder(rows: readonly FunctionRow[]): Map<string, FunctionRow[]> {
  return Map.groupBy(rows, ({ entry }) => entry.split('/')[0] ?? entry);
}
