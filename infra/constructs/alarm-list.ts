import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { type FunctionRow, functionName } from '../functions.ts';
import type { StageConfiguration } from '../stages.ts';
import { apiMetric, counted, dead, lambdaMetric, minterBalance, oldest, tableMetric } from './metrics.ts';
import { isWebhook } from './rows.ts';

/** One thing that wakes a person up. docs/operations.md says what to do about each. */
export interface AlarmSpec {
  name: string;
  description: string;
  metric: IMetric;
  /** Fires when five minutes of the metric reach it, pass it, or fall below it. */
  reaches?: number;
  above?: number;
  below?: number;
  /** What no news means; by default, that all is well. */
  missing?: TreatMissingData;
}

export interface Watched {
  stage: StageConfiguration;
  rows: readonly FunctionRow[];
  apiId: string;
  tableName: string;
}

export function alarmList(watched: Watched): AlarmSpec[] {
  return [answers, money, minting, queues, schedules, throttles].flatMap((list) => list(watched));
}

const answers = ({ apiId, rows }: Watched): AlarmSpec[] => [
  { name: 'api-5xx', description: 'Requests fail', metric: apiMetric(apiId, '5xx'), reaches: 10 },
  ...rows.flatMap((row): AlarmSpec[] => {
    if (!isWebhook(row.trigger)) return [];
    const { route } = row.trigger;
    const name = functionName(row);
    const latency = apiMetric(apiId, 'Latency', route).with({ statistic: Stats.percentile(99) });
    return [
      { name: `${name}-slow`, description: 'A provider waits over 5 s', metric: latency, above: 5_000 },
      {
        name: `${name}-5xx`,
        description: 'Payments wait',
        metric: apiMetric(apiId, '5xx', route),
        reaches: 3,
      },
    ];
  }),
];

/** What needs a person is told at the first occurrence. */
const money = ({ stage }: Watched): AlarmSpec[] =>
  [
    ['payments-under-review', 'Somebody paid another amount', 'PaymentsUnderReview'],
    ['refunds-due', 'Somebody paid and has no seat', 'RefundsDue'],
    ['refunds-failed', 'A gateway does not give money back', 'RefundsFailed'],
    ['refunds-by-hand', 'A refund on a chain waits for a person', 'RefundsByHand'],
    ['payouts-failed', 'A gateway does not pay an organizer', 'PayoutsFailed'],
  ].map(firstOf(stage));

const minting = ({ stage }: Watched): AlarmSpec[] => [
  ...[
    ['mints-stuck', 'Mints wait for the chain', 'MintsStuck'],
    ['mints-failed', 'Tickets could not be minted', 'MintsFailed'],
    ['burns-failed', 'Tickets could not be taken back', 'BurnsFailed'],
  ].map(firstOf(stage)),
  ...stage.chains.map(({ chainId, lowBalance }) => ({
    name: `minter-balance-${chainId}`,
    description: 'A minting account runs dry',
    metric: minterBalance(stage.name, chainId),
    below: lowBalance,
    // Without news the balance is what it was.
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
        description: 'Messages failed five times',
        metric: dead(stage.name, queue),
        reaches: 1,
      },
      {
        // Well above the 15 minutes that a message may be delayed on purpose.
        name: `${queue}-delayed`,
        description: 'Messages wait over 30 minutes',
        metric: oldest(stage.name, queue),
        above: 1_800,
      },
    ];
  });

const schedules = ({ stage, rows }: Watched): AlarmSpec[] =>
  rows.flatMap((row): AlarmSpec[] => {
    if (!('everyMinutes' in row.trigger)) return [];
    const successes = new MathExpression({
      expression: 'FILL(calls, 0) - FILL(crashes, 0)',
      usingMetrics: {
        calls: lambdaMetric(stage.name, row, 'Invocations'),
        crashes: lambdaMetric(stage.name, row, 'Errors'),
      },
      period: Duration.minutes(5 * row.trigger.everyMinutes),
    });
    return [
      {
        name: `${functionName(row)}-missing`,
        description: 'Five calls in a row did not succeed',
        metric: successes,
        below: 1,
        missing: TreatMissingData.BREACHING,
      },
    ];
  });

const throttles = ({ stage, rows, tableName }: Watched): AlarmSpec[] => [
  {
    name: 'webhook-throttles',
    description: 'Webhooks are turned away',
    metric: sum(
      rows.filter((row) => isWebhook(row.trigger)).map((row) => lambdaMetric(stage.name, row, 'Throttles')),
    ),
    reaches: 1,
  },
  {
    name: 'lambda-throttles',
    description: "The account's concurrency is used up",
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM }),
    reaches: 10,
  },
  {
    name: 'table-throttles',
    description: 'The table turns requests away',
    metric: sum([
      tableMetric(tableName, 'ReadThrottleEvents'),
      tableMetric(tableName, 'WriteThrottleEvents'),
    ]),
    reaches: 10,
  },
  {
    name: 'api-throttles',
    description: 'The API turns requests away',
    metric: counted(stage.name, 'RequestsThrottled'),
    reaches: 100,
  },
];

const firstOf =
  (stage: StageConfiguration) =>
  ([name = '', description = '', counter = '']: string[]): AlarmSpec => ({
    name,
    description,
    metric: counted(stage.name, counter),
    reaches: 1,
  });

function sum(metrics: IMetric[]): MathExpression {
  return new MathExpression({
    expression: metrics.map((_, at) => `FILL(m${at}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric])),
    period: Duration.minutes(5),
  });
}
