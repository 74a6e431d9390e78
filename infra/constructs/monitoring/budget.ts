import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { stackName } from '../../names.ts';
import type { StageConfiguration } from '../../stages.ts';

/**
 * Creates a budget that notifies the alarm topic when the month's costs exceed 80 % of the stage's monthly budget, and
 * when their forecast exceeds all of it. It includes the resources with the stage's tag, once the tag is activated for
 * cost allocation.
 */
export function createBudget(
  scope: Construct,
  { name, monthlyBudget }: StageConfiguration,
  topic: ITopic,
): void {
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: stackName(name),
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:boxoffice-stage$${name}`] },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}
