import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { table as schema } from '../../../shared/dynamo/keys.ts';
import { functionName } from '../../functions.ts';
import {
  deadLetterQueueName,
  failedSchedulesName,
  logGroupName,
  queueName,
  syntheticPurchaseName,
} from '../../names.ts';
import { isWebhook, type StageConfiguration } from '../../stages.ts';
import {
  apiMetric,
  counterMetric,
  deadLettersMetric,
  lambdaMetric,
  logLink,
  type MonitoredStage,
  minterBalanceMetric,
  oldestMessageAgeMetric,
  percentage,
  queueLink,
  reputationMetric,
  sumOf,
  tableLink,
  tableMetric,
  visibleMessagesMetric,
} from './metrics.ts';

/** An alarm that notifies the operators. docs/operations.md has the action for each. */
export interface AlarmSpec {
  name: string;
  /** What the alarm means, for the person who receives it. */
  description: string;
  /** The anchor of its row in docs/operations.md; by default the alarm's name. */
  runbook?: string;
  /** A link to the relevant page of the AWS console; by default the stage's dashboard. */
  console?: string;
  metric: IMetric;
  /** Fires when the metric is at least this value in one period. An alarm has exactly one of these three thresholds. */
  reaches?: number;
  /** Fires when the metric is greater than this value. */
  above?: number;
  /** Fires when the metric is less than this value. */
  below?: number;
  /** What a period without data means; by default the alarm does not fire. */
  missingData?: TreatMissingData;
  /** Whether somebody has to act at once, also at night. Other alarms can wait for the next working day. */
  pages?: true;
}

export function listAlarms(monitored: MonitoredStage): AlarmSpec[] {
  return [
    webhookAlarms,
    moneyAlarms,
    mintingAlarms,
    mailAlarms,
    queueAlarms,
    scheduleAlarms,
    throttleAlarms,
    tableAlarms,
  ].flatMap((list) => list(monitored));
}

const webhookAlarms = ({ stage, apis, rows }: MonitoredStage): AlarmSpec[] =>
  rows.flatMap((row): AlarmSpec[] => {
    if (!isWebhook(row.trigger)) return [];
    const { route } = row.trigger;
    const { apiId } = apis.webhooks.http;
    const name = functionName(row);
    const console = logLink(logGroupName(stage.name, row));
    return [
      {
        name: `${name}-slow`,
        description: '1 in 100 webhooks takes longer than 5 s. The provider stops waiting after 10 s.',
        runbook: 'webhooks-slow',
        console,
        metric: apiMetric(apiId, 'Latency', route).with({ statistic: Stats.percentile(99) }),
        above: 5_000,
      },
      {
        name: `${name}-5xx`,
        description:
          'At least 3 webhooks, and at least 1 in 100, fail: orders stay unpaid until the provider redelivers.',
        runbook: 'webhooks-5xx',
        console,
        metric: percentage([apiMetric(apiId, '5xx', route)], [apiMetric(apiId, 'Count', route)], {
          atLeast: 3,
        }),
        reaches: 1,
        pages: true,
      },
    ];
  });

const moneyAlarms = ({ stage }: MonitoredStage): AlarmSpec[] =>
  [
    ['payments-under-review', 'An operator has to review a payment or a payout.', 'PaymentsUnderReview'],
    ['refunds-due', 'A buyer has paid but holds no ticket, and is due a refund.', 'RefundsDue'],
    ['refunds-failed', 'A payment provider refused a refund five times.', 'RefundsFailed'],
    ['refunds-by-hand', 'An operator has to refund a crypto payment.', 'RefundsByHand'],
    ['payouts-failed', 'A payment provider refused a payout to an organizer five times.', 'PayoutsFailed'],
  ].map(alarmOnFirstCount(stage));

const mintingAlarms = ({ stage }: MonitoredStage): AlarmSpec[] => [
  ...[
    ['mints-stuck', 'Mint transactions wait for the chain much longer than expected.', 'MintsStuck'],
    ['mints-failed', 'The tickets of an order cannot be minted.', 'MintsFailed'],
    ['burns-failed', 'Tickets of a refunded order cannot be burned.', 'BurnsFailed'],
  ].map(alarmOnFirstCount(stage)),
  ...stage.chains.map(({ chainId, lowBalance }) => ({
    name: `minter-balance-${chainId}`,
    description: `A minting account on chain ${chainId} has fewer than ${lowBalance} coins left.`,
    runbook: 'minter-balance',
    metric: minterBalanceMetric(stage.name, chainId),
    below: lowBalance,
    // The worker reports the balance every five minutes. The alarm keeps its state while the chain's nodes fail.
    missingData: TreatMissingData.IGNORE,
  })),
];

/** These alarms ignore single failures, which buyers cause by mistyping their address. */
const mailAlarms = ({ stage }: MonitoredStage): AlarmSpec[] => [
  {
    name: 'mails-postponed',
    description:
      'In five minutes, at least 20 attempts to send a mail failed. Each mail is retried for three days.',
    metric: counterMetric(stage.name, 'MailsPostponed'),
    reaches: 20,
  },
  {
    name: 'mails-failed',
    description: 'In five minutes, at least 10 mails were refused permanently, or given up after three days.',
    metric: counterMetric(stage.name, 'MailsFailed'),
    reaches: 10,
  },
  ...(stage.settings.MAIL_FROM ? reputationAlarms(stage) : []),
];

/** SES reviews an account at 5 % bounces or 0.1 % complaints, and may stop its sending at 10 % or 0.5 %. */
const reputationAlarms = ({ name }: StageConfiguration): AlarmSpec[] => [
  {
    name: 'mail-bounces',
    description: 'At least 3 % of the mails bounce; SES reviews the account at 5 %.',
    metric: reputationMetric(name, 'BounceRate'),
    reaches: 0.03,
  },
  {
    name: 'mail-complaints',
    description: 'At least 0.05 % of the mails are reported as unwanted; SES reviews the account at 0.1 %.',
    metric: reputationMetric(name, 'ComplaintRate'),
    reaches: 0.000_5,
  },
];

const queueAlarms = ({ stage, rows }: MonitoredStage): AlarmSpec[] =>
  rows.flatMap(({ trigger }): AlarmSpec[] => {
    if (!('queue' in trigger)) return [];
    const { queue } = trigger;
    return [
      {
        name: `${queue}-dead-letters`,
        description: 'A message failed five times.',
        runbook: 'dead-letters',
        console: queueLink(deadLetterQueueName(stage.name, queue)),
        metric: deadLettersMetric(stage.name, queue),
        reaches: 1,
      },
      {
        // Well above 15 minutes, the maximum delay of an SQS message.
        name: `${queue}-delayed`,
        description: 'The oldest message has waited for more than 30 minutes.',
        runbook: 'delayed',
        console: queueLink(queueName(stage.name, queue)),
        metric: oldestMessageAgeMetric(stage.name, queue),
        above: 1_800,
      },
    ];
  });

const scheduleAlarms = ({ stage, rows }: MonitoredStage): AlarmSpec[] => [
  ...(stage.syntheticPurchase
    ? [
        {
          name: 'synthetic-purchase',
          description: 'Two of the last three test purchases of a free ticket failed.',
          console: logLink(`${logGroupName(stage.name)}synthetic-purchase`),
          metric: new Metric({
            namespace: 'AWS/Lambda',
            metricName: 'Errors',
            dimensionsMap: { FunctionName: syntheticPurchaseName(stage.name) },
            statistic: Stats.SUM,
            period: Duration.minutes(15),
          }),
          reaches: 2,
          pages: true as const,
        },
      ]
    : []),
  {
    name: 'failed-schedules',
    description: 'A scheduled call failed, or could not start within a minute.',
    console: queueLink(failedSchedulesName(stage.name)),
    metric: visibleMessagesMetric(failedSchedulesName(stage.name)),
    reaches: 1,
  },
  ...rows.flatMap((row): AlarmSpec[] => {
    if (!('everyMinutes' in row.trigger)) return [];
    const successes = new MathExpression({
      expression: 'FILL(calls, 0) - FILL(errors, 0)',
      usingMetrics: {
        calls: lambdaMetric(stage.name, row, 'Invocations'),
        errors: lambdaMetric(stage.name, row, 'Errors'),
      },
      period: Duration.minutes(5 * row.trigger.everyMinutes),
    });
    return [
      {
        name: `${functionName(row)}-missing`,
        description: 'None of the last five scheduled calls succeeded.',
        console: logLink(logGroupName(stage.name, row)),
        metric: successes,
        below: 1,
        missingData: TreatMissingData.BREACHING,
        pages: true,
      },
    ];
  }),
];

const throttleAlarms = ({ stage, rows, apis }: MonitoredStage): AlarmSpec[] => [
  {
    name: 'webhook-throttles',
    description: 'Webhook calls exceed their reserved concurrency.',
    metric: sumOf(
      rows.filter((row) => isWebhook(row.trigger)).map((row) => lambdaMetric(stage.name, row, 'Throttles')),
    ),
    reaches: 1,
    pages: true,
  },
  {
    name: 'lambda-throttles',
    description: 'At least 10 calls, and at least 1 in 100, exceed the concurrency of the account.',
    metric: percentage([accountMetric('Throttles')], [accountMetric('Invocations')], { atLeast: 10 }),
    reaches: 1,
    pages: true,
  },
  {
    name: 'api-throttles',
    description: 'At least 100 requests, and at least 1 in 100, exceed the rate limit of their route.',
    metric: percentage(
      [counterMetric(stage.name, 'RequestsThrottled')],
      [apis.buyers, apis.webhooks].map(({ http }) => apiMetric(http.apiId, 'Count')),
      {
        atLeast: 100,
      },
    ),
    reaches: 1,
  },
];

/**
 * The SDK retries throttled requests, so a few of them are harmless. CloudWatch keeps the state of these alarms when data
 * is missing, whatever the alarm says. So each expression fills missing data with 0.
 */
const tableAlarms = ({ tableName }: MonitoredStage): AlarmSpec[] => {
  const throttleMetrics = (index?: string) => [
    tableMetric(tableName, 'ReadThrottleEvents', { index }),
    tableMetric(tableName, 'WriteThrottleEvents', { index }),
  ];
  const consumedUnits = [
    tableMetric(tableName, 'ConsumedReadCapacityUnits'),
    tableMetric(tableName, 'ConsumedWriteCapacityUnits'),
  ];
  const indexes: string[] = schema.indexes.map(({ name }) => name);
  const shared = { console: tableLink(tableName), missingData: TreatMissingData.IGNORE };
  return [
    {
      ...shared,
      name: 'table-throttles',
      description:
        'The table throttles at least 10 requests, and at least 1 for every 100 capacity units that it consumes.',
      metric: percentage(throttleMetrics(), consumedUnits, { atLeast: 10 }),
      reaches: 1,
      pages: true,
    },
    {
      ...shared,
      name: 'index-throttles',
      description:
        'Indexes throttle at least 10 requests, and at least 1 for every 100 capacity units that the table consumes.',
      metric: percentage(
        indexes.flatMap((index) => throttleMetrics(index)),
        consumedUnits,
        { atLeast: 10 },
      ),
      reaches: 1,
      pages: true,
    },
    {
      ...shared,
      name: 'transaction-conflicts',
      description:
        'At least 100 transactions, and at least 1 for every 5 that succeed, conflict with another on the same item.',
      metric: percentage(
        [tableMetric(tableName, 'TransactionConflict')],
        [
          tableMetric(tableName, 'SuccessfulRequestLatency', { operation: 'TransactWriteItems' }).with({
            statistic: Stats.SAMPLE_COUNT,
          }),
        ],
        { atLeast: 100 },
      ),
      reaches: 20,
    },
  ];
};

const accountMetric = (metricName: string) =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: Stats.SUM });

/** Returns an alarm that fires at the first occurrence. The tuple is its name, its description and its counter. */
const alarmOnFirstCount =
  (stage: StageConfiguration) =>
  ([name = '', description = '', counter = '']: string[]): AlarmSpec => ({
    name,
    description,
    metric: counterMetric(stage.name, counter),
    reaches: 1,
  });
