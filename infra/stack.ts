import { CfnOutput, Stack } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import { Api } from './constructs/api.ts';
import { Domain } from './constructs/domain.ts';
import { Mail } from './constructs/mail.ts';
import { Alarms } from './constructs/monitoring/alarms.ts';
import { createBudget } from './constructs/monitoring/budget.ts';
import { createDashboard } from './constructs/monitoring/dashboard.ts';
import { Queues } from './constructs/queues.ts';
import { Secrets } from './constructs/secrets.ts';
import { Tables } from './constructs/tables.ts';
import { type Deployment, defaultDeployment, stageFor } from './deployment.ts';
import { type FunctionRow, functions } from './functions.ts';
import { stackName } from './names.ts';
import type { StageConfiguration } from './stages.ts';

export interface BoxofficeStackProps {
  stage: StageConfiguration;
  /** The folder of the bundles, one folder for each row, as the build leaves them. */
  bundles: string;
  deployment?: Deployment;
}

/** The service of one stage, as infra/functions.ts and infra/stages.ts describe it. */
export class BoxofficeStack extends Stack {
  constructor(scope: Construct, { bundles, deployment = defaultDeployment, ...props }: BoxofficeStackProps) {
    const stage = stageFor(deployment, props.stage);
    super(scope, stackName(stage.name), {
      description: `boxoffice, ${stage.name}: event ticketing`,
      terminationProtection: stage.keepData,
      // CloudFormation passes them on to all resources; the budget counts by them.
      tags: { 'boxoffice-stage': stage.name },
      ...(stage.region && { env: { region: stage.region } }),
    });
    const tables = new Tables(this, stage);
    const queues = new Queues(this, stage, functions);
    const secrets = new Secrets(this, stage, functions);
    const api = new Api(this, stage, deployment);
    const application = stage.canary ? new LambdaApplication(this, 'Deployments') : undefined;

    const { sending: mail } = new Mail(this, stage);
    const resources = { tables, queues, secrets, mail };
    const shared = { stage, deployment, resources, api: api.http, bundles, application };
    const domains = [...byFolder(functions)].map(
      ([folder, rows]) => new Domain(this, folder, { ...shared, rows }),
    );
    if (!stage.canary || deployment.isFirst || deployment.shiftsAllAtOnce) inSequence(domains);
    api.open(new Map(domains.flatMap(({ webhooks }) => [...webhooks])));

    const { tableName } = tables.serving;
    const watched = { stage, rows: functions, apiId: api.http.apiId, tableName };
    const alarms = new Alarms(this, watched, api.accessLog);
    createDashboard(this, watched, alarms.all);
    createBudget(this, stage, alarms.topic.topic);

    new CfnOutput(this, 'ApiUrl', { value: api.url });
    new CfnOutput(this, 'TableName', { value: tableName });
  }
}

function byFolder(rows: readonly FunctionRow[]): Map<string, FunctionRow[]> {
  return Map.groupBy(rows, ({ entry }) => entry.split('/')[0] ?? entry);
}

/**
 * Deploys one nested stack after the other: API Gateway refuses routes that many stacks create at once. Where traffic
 * is shifted in steps of five minutes they run side by side instead, since the steps would add up to an hour.
 */
function inSequence(domains: readonly Domain[]): void {
  for (const [index, domain] of domains.entries()) {
    const previous = domains[index - 1];
    if (previous) domain.node.addDependency(previous);
  }
}
