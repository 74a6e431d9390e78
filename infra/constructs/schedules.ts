import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Message } from '../../shared/runtime/messages.ts';
import { syntheticPurchase } from '../build/build.ts';
import type { Deployment } from '../deployment.ts';
import { logGroupName, syntheticPurchaseName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { removalPolicy } from './retention.ts';

/**
 * Asks the minting worker every five minutes for the balances of its accounts: an account without coins is reported
 * before its first mint. Only that worker can read the keys, from which the addresses follow.
 */
export function reportMinterBalances(
  scope: Construct,
  { chains }: StageConfiguration,
  queue: IQueue,
  { isPaused }: Deployment,
): void {
  const messages = chains.map(
    ({ chainId }): Message<'report-balances'> => ({
      type: 'report-balances',
      chainId,
    }),
  );
  if (messages.length === 0) return;
  new Rule(scope, 'MinterBalances', {
    schedule: Schedule.rate(Duration.minutes(5)),
    enabled: !isPaused,
    targets: messages.map((message) => new SqsQueue(queue, { message: RuleTargetInput.fromObject(message) })),
  });
}

/**
 * Buys a free ticket every five minutes, on stages with `syntheticPurchase`: the smoke test in a function, with no more
 * permissions than any caller of the API.
 */
export function buyTicketPeriodically(
  scope: Construct,
  stage: StageConfiguration,
  { url, bundles, isPaused }: { url: string; bundles: string; isPaused: boolean },
): void {
  if (!stage.syntheticPurchase) return;
  const logGroup = new LogGroup(scope, 'SyntheticLog', {
    logGroupName: `${logGroupName(stage.name)}${syntheticPurchase}`,
    retention: stage.logRetentionDays,
    removalPolicy: removalPolicy(stage),
  });
  const role = new Role(scope, 'SyntheticRole', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      log: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroup.logGroupArn],
          }),
        ],
      }),
    },
  });
  const buyer = new LambdaFunction(scope, 'SyntheticPurchase', {
    functionName: syntheticPurchaseName(stage.name),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(path.join(bundles, syntheticPurchase)),
    role: role.withoutPolicyUpdates(),
    memorySize: 512,
    timeout: Duration.minutes(4),
    environment: { API_URL: url },
    retryAttempts: 0,
    logGroup,
  });
  new Rule(scope, 'SyntheticSchedule', {
    schedule: Schedule.rate(Duration.minutes(5)),
    enabled: !isPaused,
    targets: [new LambdaTarget(buyer, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
}
