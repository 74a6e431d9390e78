import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionRow, QueueName } from '../functions.ts';
import { deadLetterQueueName, deployedFunctionName, metricsNamespace, queueName } from '../names.ts';
import type { StageName } from '../stages.ts';

/** Where CloudWatch keeps what alarms and the dashboard watch. All are sums unless they say otherwise. */

/** A counter of shared/runtime/metrics.ts. */
export const counted = (stage: StageName, metricName: string) =>
  new Metric({ namespace: metricsNamespace(stage), metricName, statistic: Stats.SUM });

/** What the poorest minting account of a chain has left, in coins. */
export const minterBalance = (stage: StageName, chainId: number) =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'MinterBalance',
    dimensionsMap: { chain: String(chainId) },
    statistic: Stats.MINIMUM,
  });

type ApiMetric = 'Count' | '4xx' | '5xx' | 'Latency';

/** Of the whole API, or of one route (`POST /api/orders/initialize`). */
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

export const waiting = (stage: StageName, queue: QueueName) =>
  queueMetric(queueName(stage, queue), 'ApproximateNumberOfMessagesVisible');
/** In seconds. */
export const oldest = (stage: StageName, queue: QueueName) =>
  queueMetric(queueName(stage, queue), 'ApproximateAgeOfOldestMessage');
export const dead = (stage: StageName, queue: QueueName) =>
  queueMetric(deadLetterQueueName(stage, queue), 'ApproximateNumberOfMessagesVisible');

export const tableMetric = (
  TableName: string,
  metricName:
    | 'ReadThrottleEvents'
    | 'WriteThrottleEvents'
    | 'ConsumedReadCapacityUnits'
    | 'ConsumedWriteCapacityUnits',
) =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap: { TableName }, statistic: Stats.SUM });
