import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { table as shape } from '../../shared/dynamo/keys.ts';
import { type FunctionRow, functionName } from '../functions.ts';
import { deadLetterQueueName, logGroupName, queueName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { logLink, queueLink, tableLink } from './console.ts';
import {
  apiMetric,
  counted,
  dead,
  lambdaMetric,
  minterBalance,
  oldest,
  percentage,
  tableMetric,
  total,
} from './metrics.ts';
import { isWebhook } from './rows.ts';

/** An alarm that pages somebody. docs/operations.md says what to do about each. */
export interface AlarmSpec {
  name: string;
  /** What it means, for the person it pages. */
  description: string;
  /** The name of its row in docs/operations.md; by default its own. */
  runbook?: string;
  /** Where to look in the AWS console; by default the stage's dashboard. */
  console?: string;
  metric: IMetric;
  /** Fires when five minutes of the metric reach it, exceed it, or stay below it. */
  reaches?: number;
  above?: number;
  below?: number;
  /** How missing data counts; by default as all being well. */
  missing?: TreatMissingData;
}

export interface Watched {
  stage: StageConfiguration;
  rows: readonly FunctionRow[];
  apiId: string;
  tableName: string;
}

export function alarmList(watched: Watched): AlarmSpec[] {
  return [webhooks, money, minting, queues, schedules, throttles, table].flatMap((list) => list(watched));
}

const webhooks = ({ stage, apiId, rows }: Watched): AlarmSpec[] =>
  rows.flatMap((row): AlarmSpec[] => {
    if (!isWebhook(row.trigger)) return [];
    const { route } = row.trigger;
    const name = functionName(row);
    const console = logLink(logGroupName(stage.name, row));
    return [
      {
        name: `${name}-slow`,
        description: 'One webhook in a hundred takes over 5 s; the provider gives up after 10 s.',
        runbook: 'webhooks-slow',
        console,
        metric: apiMetric(apiId, 'Latency', route).with({ statistic: Stats.percentile(99) }),
        above: 5_000,
      },
      {
        name: `${name}-5xx`,
        description:
          'At least 3 webhooks, and 1 in 100, fail: orders stay unpaid until the provider redelivers.',
        runbook: 'webhooks-5xx',
        console,
        metric: percentage([apiMetric(apiId, '5xx', route)], [apiMetric(apiId, 'Count', route)], {
          atLeast: 3,
        }),
        reaches: 1,
      },
    ];
  });

/** Alarms that page on the first occurrence. */
const money = ({ stage }: Watched): AlarmSpec[] =>
  [
    ['payments-under-review', 'A payment differs from what its order costs.', 'PaymentsUnderReview'],
    ['refunds-due', 'A buyer paid and holds no seat.', 'RefundsDue'],
    ['refunds-failed', 'A payment provider refuses to refund.', 'RefundsFailed'],
    ['refunds-by-hand', 'A payment on a chain has to be refunded by hand.', 'RefundsByHand'],
    ['payouts-failed', 'A payment provider refuses to pay an organizer.', 'PayoutsFailed'],
  ].map(firstOf(stage));

const minting = ({ stage }: Watched): AlarmSpec[] => [
  ...[
    ['mints-stuck', 'Mints wait for the chain much longer than they should.', 'MintsStuck'],
    ['mints-failed', 'The tickets of an order can not be minted.', 'MintsFailed'],
    ['burns-failed', 'Tickets of a refunded order can not be burned.', 'BurnsFailed'],
  ].map(firstOf(stage)),
  ...stage.chains.map(({ chainId, lowBalance }) => ({
    name: `minter-balance-${chainId}`,
    description: `A minting account on chain ${chainId} has fewer than ${lowBalance} coins left.`,
    runbook: 'minter-balance',
    metric: minterBalance(stage.name, chainId),
    below: lowBalance,
    // The balance is reported when something is minted.
    missing: TreatMissingData.IGNORE,
  })),
];

const queues = ({ stage, rows }: Watched): AlarmSpec[] =>
  rows.flatMap(({ trigger }): AlarmSpec[] => {
    if (!('queue' in trigger)) return [];
    const { queue } = trigger;
    return [
      {
        name: `${queue}-dead-letters`,
        description: 'A message failed five times.',
        runbook: 'dead-letters',
        console: queueLink(deadLetterQueueName(stage.name, queue)),
        metric: dead(stage.name, queue),
        reaches: 1,
      },
      {
        // Well above the 15 minutes that a message may be delayed on purpose.
        name: `${queue}-delayed`,
        description: 'Messages wait over 30 minutes.',
        runbook: 'delayed',
        console: queueLink(queueName(stage.name, queue)),
        metric: oldest(stage.name, queue),
        above: 1_800,
      },
    ];
  });

const schedules = ({ stage, rows }: Watched): AlarmSpec[] =>
  rows.flatMap((row): AlarmSpec[] => {
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
        description: 'Five scheduled calls in a row did not succeed.',
        console: logLink(logGroupName(stage.name, row)),
        metric: successes,
        below: 1,
        missing: TreatMissingData.BREACHING,
      },
    ];
  });

const throttles = ({ stage, rows, apiId }: Watched): AlarmSpec[] => [
  {
    name: 'webhook-throttles',
    description: 'Webhooks exceed the concurrency that is reserved for them.',
    metric: total(
      rows.filter((row) => isWebhook(row.trigger)).map((row) => lambdaMetric(stage.name, row, 'Throttles')),
    ),
    reaches: 1,
  },
  {
    name: 'lambda-throttles',
    description: 'At least 10 calls, and 1 in 100, exceed the concurrency of the account.',
    metric: percentage([accountMetric('Throttles')], [accountMetric('Invocations')], { atLeast: 10 }),
    reaches: 1,
  },
  {
    name: 'api-throttles',
    description: 'At least 100 requests, and 1 in 100, exceed the throttle of their route.',
    metric: percentage([counted(stage.name, 'RequestsThrottled')], [apiMetric(apiId, 'Count')], {
      atLeast: 100,
    }),
    reaches: 1,
  },
];

/** Throttled requests are retried by the SDK, so that a few of them harm nobody. */
const table = ({ tableName }: Watched): AlarmSpec[] => {
  const throttled = (index?: string) => [
    tableMetric(tableName, 'ReadThrottleEvents', { index }),
    tableMetric(tableName, 'WriteThrottleEvents', { index }),
  ];
  const consumed = [
    tableMetric(tableName, 'ConsumedReadCapacityUnits'),
    tableMetric(tableName, 'ConsumedWriteCapacityUnits'),
  ];
  const indexes: string[] = shape.indexes.map(({ name }) => name);
  const console = tableLink(tableName);
  return [
    {
      name: 'table-throttles',
      description: 'The table throttles at least 10 requests, and 1 for 100 units that it serves.',
      console,
      metric: percentage(throttled(), consumed, { atLeast: 10 }),
      reaches: 1,
    },
    {
      name: 'index-throttles',
      description: 'Indexes throttle at least 10 requests, and 1 for 100 units that the table serves.',
      console,
      metric: percentage(
        indexes.flatMap((index) => throttled(index)),
        consumed,
        { atLeast: 10 },
      ),
      reaches: 1,
    },
    {
      name: 'transaction-conflicts',
      description:
        'At least 100 transactions, and 1 for 5 that succeed, conflict with another on the same item.',
      console,
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

const firstOf =
  (stage: StageConfiguration) =>
  ([name = '', description = '', counter = '']: string[]): AlarmSpec => ({
    name,
    description,
    metric: counted(stage.name, counter),
    reaches: 1,
  });
