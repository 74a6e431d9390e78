import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
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
import type { StageName } from '../stages.ts';
import type { RowFunction } from './row-function.ts';

const aliasName = 'live';

/** Who may shift traffic, and through which application. */
export interface Deployer {
  application: LambdaApplication;
  role: IRole;
}

/**
 * What callers call: first a tenth of the traffic goes to new code, five minutes later all of it. When the code
 * fails meanwhile the traffic goes back, and CloudFormation takes the whole deployment back.
 * @param serverErrors the route's answers of 5xx, which Lambda itself takes for successes
 */
export function liveAlias(
  deployed: RowFunction,
  { application, role }: Deployer,
  serverErrors?: IMetric,
): Alias {
  const alias = new Alias(deployed, 'Live', { aliasName, version: deployed.lambda.currentVersion });
  new LambdaDeploymentGroup(deployed, 'Deployment', {
    application,
    role,
    alias,
    alarms: [failing(deployed, alias, serverErrors)],
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
  });
  return alias;
}

/** Fires when of a minute's calls at least three, and at least one in a hundred, failed. */
function failing(deployed: RowFunction, alias: Alias, serverErrors?: IMetric): Alarm {
  const ofAlias = (metricName: string) =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: {
        FunctionName: deployed.lambda.functionName,
        Resource: `${deployed.lambda.functionName}:${alias.aliasName}`,
      },
    });
  const failures = serverErrors ? 'FILL(crashes, 0) + FILL(answers, 0)' : 'FILL(crashes, 0)';
  return new Alarm(deployed, 'Failing', {
    alarmDescription: 'New code fails: its deployment is rolled back',
    metric: new MathExpression({
      expression: `IF(${failures} >= 3, 100 * (${failures}) / calls, 0)`,
      usingMetrics: {
        calls: ofAlias('Invocations').with({ statistic: Stats.SUM }),
        crashes: ofAlias('Errors').with({ statistic: Stats.SUM }),
        ...(serverErrors && { answers: serverErrors }),
      },
      period: Duration.minutes(1),
    }),
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** The role of CodeDeploy for some functions; the one AWS offers may do the same to all functions. */
export function deployerRole(scope: Construct, stage: StageName, rows: readonly FunctionRow[]): IRole {
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
    reason: 'CodeDeploy asks for the state of alarms without naming them; it reads nothing else by this',
  });
  return role.withoutPolicyUpdates();
}
