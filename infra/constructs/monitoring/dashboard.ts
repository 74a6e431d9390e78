import { Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { stackName } from '../../names.ts';
import { isWebhook } from '../../stages.ts';
import {
  apiMetric,
  counterMetric,
  deadLettersMetric,
  type MonitoredStage,
  minterBalanceMetric,
  oldestMessageAgeMetric,
  reputationMetric,
  tableMetric,
  waitingMessagesMetric,
} from './metrics.ts';

/** The dashboard of a stage: alarms, requests, orders and money, the chain, queues, functions and the table. */
export function createDashboard(
  scope: Construct,
  monitored: MonitoredStage,
  alarms: readonly AlarmBase[],
): void {
  const { stage, rows: functions, apis, tableName } = monitored;
  const { apiId } = apis.buyers.http;
  const webhooksId = apis.webhooks.http.apiId;
  const webhooks = functions.flatMap(({ trigger }) => (isWebhook(trigger) ? [trigger.route] : []));
  const queues = functions.flatMap(({ trigger }) => ('queue' in trigger ? [trigger.queue] : []));
  const latency = (percent: number, route?: string) =>
    apiMetric(route ? webhooksId : apiId, 'Latency', route).with({
      statistic: Stats.percentile(percent),
      label: route ?? `p${percent}`,
    });
  const counts = (...names: string[]) => names.map((name) => counterMetric(stage.name, name));

  const dashboard = new Dashboard(scope, 'Dashboard', {
    dashboardName: stackName(stage.name),
    defaultInterval: Duration.hours(3),
  });
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', width: 24, height: 4, alarms: [...alarms] }));
  dashboard.addWidgets(
    graph('Requests', [apiMetric(apiId, 'Count'), apiMetric(apiId, '4xx'), apiMetric(apiId, '5xx')]),
    graph('Latency (ms)', [latency(50), latency(99)]),
    graph(
      'Webhooks, p99 (ms)',
      webhooks.map((route) => latency(99, route)),
    ),
  );
  dashboard.addWidgets(
    graph('Orders', counts('OrdersCompleted', 'OrdersExpired', 'CodeOverruns', 'OutboxResent')),
    graph(
      'Needs an operator',
      counts(
        'PaymentsUnderReview',
        'RefundsDue',
        'RefundsFailed',
        'RefundsByHand',
        'PayoutsFailed',
        'MintsFailed',
        'BurnsFailed',
        'WebhooksUnknown',
      ),
    ),
    graph('Mails', counts('MailsSent', 'MailsPostponed', 'MailsFailed')),
    ...(stage.settings.MAIL_FROM
      ? [
          graph('Bounces and complaints (share)', [
            reputationMetric(stage.name, 'BounceRate'),
            reputationMetric(stage.name, 'ComplaintRate'),
          ]),
        ]
      : []),
    graph('Mints stuck', counts('MintsStuck')),
    graph(
      'Balances of the minting accounts (coins)',
      stage.chains.map(({ chainId }) =>
        minterBalanceMetric(stage.name, chainId).with({ label: `chain ${chainId}` }),
      ),
    ),
  );
  dashboard.addWidgets(
    graph(
      'Messages waiting',
      queues.flatMap((queue) => [
        waitingMessagesMetric(stage.name, queue),
        deadLettersMetric(stage.name, queue),
      ]),
    ),
    graph(
      'Oldest message (s)',
      queues.map((queue) => oldestMessageAgeMetric(stage.name, queue)),
    ),
  );
  dashboard.addWidgets(
    graph('Duration of functions, p99 (ms)', [allFunctionsMetric(stackName(stage.name), 'Duration', 'p99')]),
    graph('Errors of functions', [allFunctionsMetric(stackName(stage.name), 'Errors', 'Sum')]),
    graph('Concurrent executions', [
      allFunctionsMetric(stackName(stage.name), 'ConcurrentExecutions', 'Maximum'),
    ]),
    graph('Table', [
      tableMetric(tableName, 'ConsumedReadCapacityUnits'),
      tableMetric(tableName, 'ConsumedWriteCapacityUnits'),
    ]),
  );
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 6, height: 6 });

/** Searches for the metric of all functions of the stage, including future ones. */
const allFunctionsMetric = (prefix: string, metric: string, statistic: string) =>
  new MathExpression({
    expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" ${prefix}', '${statistic}')`,
    usingMetrics: {},
    label: '',
  });
