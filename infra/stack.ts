import { createHash } from 'node:crypto';
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import { Apis } from './constructs/api.ts';
import { createBackups } from './constructs/backup.ts';
import { FunctionStack } from './constructs/function-stack.ts';
import { Mail } from './constructs/mail.ts';
import { Alarms, createBudget } from './constructs/monitoring/alarms.ts';
import { createDashboard } from './constructs/monitoring/dashboard.ts';
import { Pictures } from './constructs/pictures.ts';
import { Queues } from './constructs/queues.ts';
import { buyTicketPeriodically, reportMinterBalances } from './constructs/schedules.ts';
import { Secrets } from './constructs/secrets.ts';
import { Tables } from './constructs/tables.ts';
import { applyDeployment, type Deployment, defaultDeployment } from './deployment.ts';
import { type FunctionRow, functions as serviceFunctions } from './functions.ts';
import { stackName } from './names.ts';
import type { StageConfiguration } from './stages.ts';

export interface BoxofficeStackProps {
  stage: StageConfiguration;
  /** The output folder of the build, with one folder for each row of infra/functions.ts. */
  bundles: string;
  deployment?: Deployment;
  /** Default: the functions of the service. */
  functions?: readonly FunctionRow[];
}

/** The service of one stage, as infra/functions.ts and infra/stages.ts describe it. */
export class BoxofficeStack extends Stack {
  constructor(
    scope: Construct,
    { bundles, deployment = defaultDeployment, functions = serviceFunctions, ...props }: BoxofficeStackProps,
  ) {
    const stage = applyDeployment(deployment, props.stage);
    super(scope, stackName(stage.name), {
      description: `boxoffice, ${stage.name}: event ticketing`,
      terminationProtection: stage.keepData,
      // CloudFormation adds the tag to all resources. The budget filters costs by it.
      tags: { 'boxoffice-stage': stage.name },
      ...(stage.region && { env: { region: stage.region } }),
    });
    const tables = new Tables(this, stage);
    const queues = new Queues(this, stage, functions);
    const secrets = new Secrets(this, stage, functions);
    const apis = new Apis(this, stage, deployment);
    const application = stage.canary ? new LambdaApplication(this, 'Deployments') : undefined;

    reportMinterBalances(this, stage, queues.get('mint-tickets'), deployment);
    createBackups(this, stage, tables.current);
    const { resources: mail } = new Mail(this, stage, queues.get('record-mail-events'));
    const pictures = new Pictures(this, stage, queues.get('resize-pictures'));
    const resources = { tables, pictures, queues, secrets, mail };
    const shared = { stage, deployment, resources, apis, bundles, application };
    const functionStacks = [...Map.groupBy(functions, functionStackName)]
      .sort()
      .map(([name, rows]) => new FunctionStack(this, name, { ...shared, rows }));
    const waits = stage.canary && !deployment.isFirst && !deployment.shiftsTrafficAtOnce;
    deployInTurn(functionStacks, waits ? stacksOfCanaries : 1);

    const { tableName } = tables.current;
    const monitored = { stage, rows: functions, apis, tableName };
    const alarms = new Alarms(this, monitored, apis.accessLog);
    createDashboard(this, monitored, alarms.all);
    createBudget(this, stage, alarms.tickets);

    // Behind the front, the API refuses requests that did not come through it.
    const url = stage.front ? `https://${stage.front.name}` : apis.buyers.url;
    buyTicketPeriodically(this, stage, { url, bundles, isPaused: deployment.isPaused });
    new CfnOutput(this, 'ApiUrl', { value: url });
    new CfnOutput(this, 'WebhookUrl', { value: apis.webhooks.url });
    new CfnOutput(this, 'BucketName', { value: pictures.bucketName });
    new CfnOutput(this, 'TableName', { value: tableName });
  }
}

/**
 * CloudFormation allows 500 resources in a stack, and a function of a production stage has about 12. With this number,
 * the service can grow to three times its functions.
 */
const functionStackCount = 13;

/**
 * Returns the nested stack of a function. A hash of the name decides, so that a function stays in its stack when others
 * are added: CloudFormation can't move it, since the name exists until the old stack has deleted it.
 */
export function functionStackName({ entry }: FunctionRow): string {
  const hash = createHash('sha256').update(entry).digest().readUInt32BE();
  return `Functions${hash % functionStackCount}`;
}

/**
 * The number of nested stacks that deploy at the same time with canaries, since each then waits five minutes for its
 * functions. Together they have up to 30 functions. All of them at once would exceed the 15 calls a second that Lambda
 * allows for changing functions and aliases.
 */
const stacksOfCanaries = 2;

/**
 * Makes CloudFormation deploy at most `atOnce` nested stacks at the same time. Otherwise all of them would, and API
 * Gateway and Lambda refuse so many changes at once.
 */
function deployInTurn(stacks: readonly FunctionStack[], atOnce: number): void {
  for (const [index, stack] of stacks.entries()) {
    const previous = stacks[index - atOnce];
    if (previous) stack.node.addDependency(previous);
  }
}
