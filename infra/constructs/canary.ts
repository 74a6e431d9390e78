import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import {
  Alarm,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  type LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionRow } from '../functions.ts';
import { deployedFunctionName } from '../names.ts';
import type { StageConfiguration, StageName } from '../stages.ts';
import type { DeployedFunction } from './deployed-function.ts';

const aliasName = 'live';

/** The CodeDeploy application and role that shift traffic, and their options. */
export interface Deployer {
  application: LambdaApplication;
  role: IRole;
  /** Shifts all traffic at once, for a hotfix or a switch of tables. */
  allAtOnce: boolean;
  provisionedConcurrency: StageConfiguration['provisionedConcurrency'];
}

/**
 * Creates the alias that callers invoke. A new version gets a tenth of the traffic, and five minutes later all of it.
 * When a version fails in between, CodeDeploy shifts the traffic back, and CloudFormation rolls the deployment back.
 * @param serverErrors the route's 5xx responses, which Lambda counts as successes
 */
export function createLiveAlias(
  deployed: DeployedFunction,
  { application, role, allAtOnce, provisionedConcurrency }: Deployer,
  serverErrors?: IMetric,
): Alias {
  const { executions, from, until } = provisionedConcurrency?.entries.includes(deployed.row.entry)
    ? provisionedConcurrency
    : {};
  const alias = new Alias(deployed, 'Live', {
    aliasName,
    version: deployed.lambda.currentVersion,
    provisionedConcurrentExecutions: from ? undefined : executions,
  });
  if (executions && from && until) provisionBetween(alias, executions, from, until);
  new LambdaDeploymentGroup(deployed, 'Deployment', {
    application,
    role,
    alias,
    alarms: [failureAlarm(deployed, serverErrors)],
    deploymentConfig: allAtOnce
      ? LambdaDeploymentConfig.ALL_AT_ONCE
      : LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
  });
  return alias;
}

/**
 * Provisions concurrency from the first time to the second. Scheduled actions change both the minimum and the maximum,
 * since lowering only the minimum does not scale in.
 */
function provisionBetween(alias: Alias, executions: number, from: string, until: string): void {
  const target = alias.addAutoScaling({ minCapacity: 0, maxCapacity: executions });
  const toSchedule = (time: string) => Schedule.at(new Date(time));
  target.scaleOnSchedule('From', {
    schedule: toSchedule(from),
    minCapacity: executions,
    maxCapacity: executions,
  });
  target.scaleOnSchedule('Until', { schedule: toSchedule(until), minCapacity: 0, maxCapacity: 0 });
}

/**
 * Fires when in one minute at least three calls, and at least one in a hundred, fail. It monitors the calls of the new
 * version, the calls of the old version (which a release can break by removing a permission), and the route's
 * responses.
 */
function failureAlarm({ lambda }: DeployedFunction, serverErrors?: IMetric): Alarm {
  const metric = (metricName: string, version?: string) =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: {
        FunctionName: lambda.functionName,
        Resource: `${lambda.functionName}:${aliasName}`,
        ...(version && { ExecutedVersion: version }),
      },
      statistic: Stats.SUM,
    });
  const { version } = lambda.currentVersion;
  const rates = [
    failureRate('FILL(newErrors, 0)', 'FILL(newCalls, 0)'),
    failureRate('(FILL(errors, 0) - FILL(newErrors, 0))', '(FILL(calls, 0) - FILL(newCalls, 0))'),
    ...(serverErrors ? [failureRate('FILL(responses, 0)', 'FILL(calls, 0)')] : []),
  ];
  return new Alarm(lambda, 'Failing', {
    alarmDescription: 'A version fails: CodeDeploy shifts the traffic back to the previous version',
    metric: new MathExpression({
      expression: `MAX([${rates.join(', ')}])`,
      usingMetrics: {
        calls: metric('Invocations'),
        errors: metric('Errors'),
        newCalls: metric('Invocations', version),
        newErrors: metric('Errors', version),
        ...(serverErrors && { responses: serverErrors }),
      },
      period: Duration.minutes(1),
    }),
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** Returns the metric expression for the percentage of failed calls; 0 below three failures. */
const failureRate = (failures: string, calls: string) =>
  `IF(${failures} >= 3, 100 * ${failures} / ${calls}, 0)`;

/**
 * Creates CodeDeploy's role for these functions. AWS's managed policy would grant the same permissions for all
 * functions.
 */
export function createDeployerRole(scope: Construct, stage: StageName, rows: readonly FunctionRow[]): IRole {
  const functions = rows.map((row) =>
    Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: deployedFunctionName(stage, row),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  const role = new Role(scope, 'Deployer', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: {
      shift: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: ['lambda:GetAlias', 'lambda:UpdateAlias'], resources: functions }),
          new PolicyStatement({
            actions: ['lambda:GetProvisionedConcurrencyConfig'],
            resources: functions.map((arn) => `${arn}:${aliasName}`),
          }),
          new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
        ],
      }),
    },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'cloudwatch:DescribeAlarms does not support resource-level permissions for CodeDeploy',
  });
  return role.withoutPolicyUpdates();
}
