import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Message } from '../../shared/runtime/messages.ts';
import type { Deployment } from '../deployment.ts';
import type { StageConfiguration } from '../stages.ts';

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
