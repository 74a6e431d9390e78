import { Aws, Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionRow, QueueName } from '../../functions.ts';
import {
  deadLetterQueueName,
  deployedFunctionName,
  metricsNamespace,
  queueName,
  stackName,
} from '../../names.ts';
import type { StageConfiguration, StageName } from '../../stages.ts';
import type { Apis } from '../api.ts';

/** The metrics of the alarms and the dashboard. */

/** The deployed resources that the alarms monitor. */
export interface MonitoredStage {
  stage: StageConfiguration;
  rows: readonly FunctionRow[];
  apis: Apis;
  tableName: string;
}

/** A counter of shared/runtime/telemetry.ts. */
export const counterMetric = (stage: StageName, metricName: string) =>
  new Metric({ namespace: metricsNamespace(stage), metricName, statistic: Stats.SUM });

/** The lowest balance of a chain's minting accounts, in coins. */
export const minterBalanceMetric = (stage: StageName, chainId: number) =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'MinterBalance',
    dimensionsMap: { chain: String(chainId) },
    statistic: Stats.MINIMUM,
  });

type ApiMetric = 'Count' | '4xx' | '5xx' | 'Latency';

/** Returns a metric of the whole API, or of one route (`POST /api/orders/initialize`). */
export function apiMetric(apiId: string, metricName: ApiMetric, route?: string): Metric {
  const [Method, Resource] = route?.split(' ') ?? [];
  return new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiId: apiId, Stage: '$default', ...(Method && Resource && { Method, Resource }) },
    statistic: Stats.SUM,
  });
}

export const lambdaMetric = (
  stage: StageName,
  row: FunctionRow,
  metricName: 'Invocations' | 'Errors' | 'Throttles',
) =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: deployedFunctionName(stage, row) },
    statistic: Stats.SUM,
  });

const queueMetric = (QueueName: string, metricName: string) =>
  new Metric({ namespace: 'AWS/SQS', metricName, dimensionsMap: { QueueName }, statistic: Stats.MAXIMUM });

export const visibleMessagesMetric = (queueName: string) =>
  queueMetric(queueName, 'ApproximateNumberOfMessagesVisible');
export const waitingMessagesMetric = (stage: StageName, queue: QueueName) =>
  visibleMessagesMetric(queueName(stage, queue));
/** The age of the oldest message, in seconds. */
export const oldestMessageAgeMetric = (stage: StageName, queue: QueueName) =>
  queueMetric(queueName(stage, queue), 'ApproximateAgeOfOldestMessage');
export const deadLettersMetric = (stage: StageName, queue: QueueName) =>
  visibleMessagesMetric(deadLetterQueueName(stage, queue));

/** SES's rate (0 to 1) of a stage's mails that bounced, or that recipients reported as unwanted. */
export const reputationMetric = (stage: StageName, rate: 'BounceRate' | 'ComplaintRate') =>
  new Metric({
    namespace: 'AWS/SES',
    metricName: `Reputation.${rate}`,
    dimensionsMap: { 'ses:configuration-set': stackName(stage) },
    statistic: Stats.MAXIMUM,
  });

export const tableMetric = (
  TableName: string,
  metricName:
    | 'ReadThrottleEvents'
    | 'WriteThrottleEvents'
    | 'ConsumedReadCapacityUnits'
    | 'ConsumedWriteCapacityUnits'
    | 'TransactionConflict'
    | 'SuccessfulRequestLatency',
  { index, operation }: { index?: string; operation?: string } = {},
) =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: {
      TableName,
      ...(index && { GlobalSecondaryIndexName: index }),
      ...(operation && { Operation: operation }),
    },
    statistic: Stats.SUM,
  });

const fiveMinutes = Duration.minutes(5);

/** Returns the sum of several metrics. */
export function sumOf(metrics: IMetric[]): MathExpression {
  const { expression, usingMetrics } = sum('m', metrics);
  return new MathExpression({ expression, usingMetrics, period: fiveMinutes });
}

/**
 * Returns the percentage of `part` in `total`.
 * @param atLeast below this count of `part` the percentage is 0, since one failure of three requests is not significant
 */
export function percentage(
  part: IMetric[],
  total: IMetric[],
  { atLeast, period = fiveMinutes }: { atLeast: number; period?: Duration },
): MathExpression {
  const [parts, totals] = [sum('part', part), sum('all', total)];
  return new MathExpression({
    expression: `IF(${parts.expression} >= ${atLeast}, 100 * ${parts.expression} / ${totals.expression}, 0)`,
    usingMetrics: { ...parts.usingMetrics, ...totals.usingMetrics },
    period,
  });
}

/** Returns the expression of a sum, in which missing data counts as 0. */
function sum(prefix: string, metrics: IMetric[]) {
  return {
    expression: `(${metrics.map((_, index) => `FILL(${prefix}${index}, 0)`).join(' + ')})`,
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`${prefix}${index}`, metric])),
  };
}

/** Addresses in the AWS console, in the region of the stage. */

const consoleHome = (service: string) =>
  `https://${Aws.REGION}.console.aws.amazon.com/${service}/home?region=${Aws.REGION}#`;

export const dashboardLink = (stage: StageName) =>
  `${consoleHome('cloudwatch')}dashboards/dashboard/${stackName(stage)}`;
/** The console expects the name URL-encoded twice, then `$` in place of each `%`. */
export const logLink = (logGroup: string) =>
  `${consoleHome('cloudwatch')}logsV2:log-groups/log-group/${encodeURIComponent(logGroup).replaceAll('%', '$25')}`;
export const queueLink = (queue: string) => `${consoleHome('sqs/v3')}/queues?search=${queue}`;
export const tableLink = (table: string) => `${consoleHome('dynamodbv2')}table?name=${table}&tab=monitoring`;

/** A service level objective for requests over 30 days. The failures that it allows are the error budget. */
export interface Objective {
  name: string;
  description: string;
  /** The percentage of requests that may fail. */
  budgetPercent: number;
  /** The percentage of requests that failed in a window; 0 for too few failures to be significant. */
  failedPercent: (window: Duration) => IMetric;
}

/**
 * The burn rates above which alarms fire. Both a long and a short window must exceed the rate, so that an alarm ends
 * soon after the failures. The windows and factors are those of the Site Reliability Workbook, chapter 5
 * (https://sre.google/workbook/alerting-on-slos/): two per cent of the budget in an hour, five per cent in six hours.
 */
export const burnRates = [
  { suffix: 'fast', factor: 14.4, windows: [Duration.minutes(5), Duration.hours(1)], pages: true },
  { suffix: 'slow', factor: 6, windows: [Duration.minutes(30), Duration.hours(6)], pages: false },
] as const;

export function listObjectives({ apis }: MonitoredStage): Objective[] {
  const failed = (api: 'buyers' | 'webhooks', atLeast: number) => (period: Duration) => {
    const { apiId } = apis[api].http;
    return percentage([apiMetric(apiId, '5xx')], [apiMetric(apiId, 'Count')], { atLeast, period });
  };
  return [
    {
      name: 'api-errors',
      description: '99.9 % of requests are answered without a server error.',
      budgetPercent: 0.1,
      failedPercent: failed('buyers', 5),
    },
    {
      name: 'webhook-errors',
      description: '99.95 % of webhooks are answered without a server error.',
      budgetPercent: 0.05,
      failedPercent: failed('webhooks', 3),
    },
  ];
}
