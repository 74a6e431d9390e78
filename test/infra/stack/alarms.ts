import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { dev, production, type Resource, rendered, stages } from './synthesized.ts';

const stage = stages.production;
const topic = production.one('AWS::SNS::Topic');
const alarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
  .flatMap((type) => production.ofType(type))
  .filter(({ properties }) => properties.AlarmActions !== undefined);
const read = (file: string) =>
  readFileSync(path.resolve(import.meta.dirname, '..', '..', '..', file), 'utf8');

const nameOf = ({ properties }: Resource): string =>
  rendered(properties.AlarmName).replace('boxoffice-production-', '');
const called = (name: string) => {
  const alarm = alarms.find((candidate) => nameOf(candidate) === name);
  if (!alarm) throw new Error(`No alarm ${name}`);
  return alarm.properties;
};

/** All metrics that an alarm watches. */
const metricsOf = (name: string): { MetricName?: string; Namespace?: string }[] => {
  const { Metrics, ...alarm } = called(name);
  if (!Metrics) return [alarm];
  return Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: object } }) => MetricStat?.Metric ?? []);
};

describe('alarms', () => {
  const queues = functions.flatMap(({ trigger }) => ('queue' in trigger ? [trigger.queue] : []));
  const webhooks = functions
    .filter(({ entry }) => entry.startsWith('webhooks/'))
    .map(({ entry }) => entry.replace('/', '-'));
  const expected = [
    ...['api-errors', 'webhook-errors'].flatMap((name) => [`${name}-fast`, `${name}-slow`]),
    ...webhooks.flatMap((name) => [`${name}-slow`, `${name}-5xx`]),
    'payments-under-review',
    'refunds-due',
    'refunds-failed',
    'refunds-by-hand',
    'payouts-failed',
    'mints-stuck',
    'mints-failed',
    'burns-failed',
    'minter-balance-137',
    'mails-postponed',
    'mails-failed',
    'mail-bounces',
    'mail-complaints',
    ...queues.flatMap((name) => [`${name}-dead-letters`, `${name}-delayed`]),
    'workers-sweep-missing',
    'webhook-throttles',
    'lambda-throttles',
    'table-throttles',
    'index-throttles',
    'transaction-conflicts',
    'api-throttles',
  ];

  it('are these, and notify the topic when they fire and when they clear', () => {
    expect(alarms.map(nameOf).sort()).toEqual([...expected].sort());
    for (const { properties } of alarms) {
      expect(properties.AlarmActions).toEqual([{ Ref: topic.id }]);
      expect(properties.OKActions).toEqual([{ Ref: topic.id }]);
    }
  });

  it.each(expected)('say what %s means, what to do, and where to look', (name) => {
    const [meaning, runbook = '', console] = rendered(called(name).AlarmDescription).split('\n');
    expect(meaning).toMatch(/\.$/);
    const [, address, anchor] = /^Runbook: (.*)#(.*)$/.exec(runbook) ?? [];
    expect(address).toBe(stage.runbook);
    expect(read('docs/operations.md')).toContain(`<a id="${anchor}">`);
    expect(console).toMatch(/^Console: https:\/\/\$\{AWS::Region\}\.console\.aws\.amazon\.com\//);
  });

  it.each([
    ['api-errors', 'fast', ['5m', '60m'], 1.44],
    ['api-errors', 'slow', ['30m', '360m'], 0.6],
    ['webhook-errors', 'fast', ['5m', '60m'], 0.72],
    ['webhook-errors', 'slow', ['30m', '360m'], 0.3],
  ])('fire when the error budget of %s burns %s in both windows', (name, suffix, windows, percent) => {
    const rule = rendered(called(`${name}-${suffix}`).AlarmRule);
    const parts = windows.map((window) =>
      production.one('AWS::CloudWatch::Alarm', { AlarmName: `boxoffice-production-${name}-${window}` }),
    );
    expect(rule).toBe(`(${parts.map(({ id }) => `ALARM("\${${id}.Arn}")`).join(' AND ')})`);
    for (const [index, { properties }] of parts.entries()) {
      expect(properties.Threshold).toBeCloseTo(percent);
      const periods = properties.Metrics.flatMap(({ MetricStat }: { MetricStat?: { Period: number } }) =>
        MetricStat ? [MetricStat.Period] : [],
      );
      expect(new Set(periods)).toEqual(new Set([60 * Number.parseInt(windows[index] ?? '', 10)]));
    }
  });

  it('notice throttles of indexes, which the table has no share in', () => {
    const indexes = JSON.stringify(called('index-throttles').Metrics);
    for (const name of ['byOwner', 'byEvent', 'byDue']) expect(indexes).toContain(`"${name}"`);
    expect(JSON.stringify(called('transaction-conflicts').Metrics)).toContain('TransactionConflict');
  });

  it('have at most as many metrics as CloudWatch allows in an expression', () => {
    for (const { properties } of production.ofType('AWS::CloudWatch::Alarm')) {
      expect(properties.Metrics?.length ?? 1).toBeLessThanOrEqual(10);
    }
  });

  it('watch webhooks for answers that take over 5 s', () => {
    expect(called('webhooks-gateway-a-slow')).toMatchObject({
      MetricName: 'Latency',
      ExtendedStatistic: 'p99',
      Threshold: 5_000,
      ComparisonOperator: 'GreaterThanThreshold',
      Dimensions: expect.arrayContaining([
        { Name: 'Method', Value: 'POST' },
        { Name: 'Resource', Value: '/api/webhooks/gateway-a' },
      ]),
    });
  });

  it('watch each dead-letter queue for its first message', () => {
    for (const queue of queues) {
      expect(called(`${queue}-dead-letters`)).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: `boxoffice-production-${queue}-dlq` }],
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      });
    }
  });

  it.each([
    ['payments-under-review', 'PaymentsUnderReview'],
    ['refunds-due', 'RefundsDue'],
    ['refunds-failed', 'RefundsFailed'],
    ['refunds-by-hand', 'RefundsByHand'],
    ['payouts-failed', 'PayoutsFailed'],
    ['mints-stuck', 'MintsStuck'],
    ['mints-failed', 'MintsFailed'],
    ['burns-failed', 'BurnsFailed'],
  ])('%s watches a metric that the code counts: %s', (alarm, metric) => {
    expect(called(alarm)).toMatchObject({
      Namespace: 'boxoffice-production',
      MetricName: metric,
      Threshold: 1,
    });
    expect(called(alarm).Dimensions).toBeUndefined();
    expect(read('shared/runtime/metrics.ts')).toContain(`'${metric}'`);
  });

  it('watch the minting account with the lowest balance on each chain', () => {
    expect(called('minter-balance-137')).toMatchObject({
      MetricName: 'MinterBalance',
      Dimensions: [{ Name: 'chain', Value: '137' }],
      Statistic: 'Minimum',
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'ignore',
    });
    expect(called('minter-balance-137').Threshold).toBe(stage.chains[0]?.lowBalance);
  });

  it('detect a sweep that does not run', () => {
    expect(called('workers-sweep-missing')).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it('count throttled API requests in the access log, since there is no metric', () => {
    const { properties } = production.one('AWS::Logs::MetricFilter');
    expect(properties.FilterPattern).toBe('{ ($.status = "429") && ($.integrationStatus = "-") }');
    const [{ MetricName, MetricNamespace }] = properties.MetricTransformations;
    expect(metricsOf('api-throttles')).toContainEqual(
      expect.objectContaining({ MetricName, Namespace: MetricNamespace }),
    );
  });
});

describe('the topic', () => {
  it('accepts messages of this account’s alarms over TLS only', () => {
    const { properties } = production.one('AWS::SNS::TopicPolicy');
    expect(properties.PolicyDocument.Statement).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Allow',
          Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    );
  });

  it('sends e-mail when an address is configured', () => {
    expect(production.one('AWS::SNS::Subscription').properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'oncall@boxoffice.test',
    });
  });
});

const counters = [...read('shared/runtime/metrics.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
  ([, name]) => name ?? '',
);

describe('a metric of the code', () => {
  it('fires an alarm unless it is normal', () => {
    const usual = [
      'CodeOverruns',
      'MailsSent',
      'OrdersCompleted',
      'OrdersExpired',
      'OutboxResent',
      'WebhooksUnknown',
    ];
    const watched = alarms
      .map(nameOf)
      .flatMap(metricsOf)
      .map(({ MetricName }) => MetricName);
    expect(counters.filter((name) => !watched.includes(name)).sort()).toEqual(usual);
  });
});

describe('the dashboard', () => {
  it('shows the alarms and every metric of the code', () => {
    const { properties } = production.one('AWS::CloudWatch::Dashboard');
    const body = rendered(properties.DashboardBody);
    for (const { id } of alarms) expect(body).toContain(`\${${id}.Arn}`);
    expect(counters.length).toBeGreaterThan(7);
    for (const counter of [...counters, 'MinterBalance']) expect(body).toContain(counter);
    expect(JSON.parse(body).widgets.length).toBeGreaterThan(10);
  });
});

describe('the budget', () => {
  it('announces what the stage costs, by its tag, when four fifths are spent and when it will not do', () => {
    const { Budget, NotificationsWithSubscribers } = production.one('AWS::Budgets::Budget').properties;
    expect(Budget).toMatchObject({
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: stage.monthlyBudget, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:boxoffice-stage$production'] },
    });
    expect(production.stack.tags.tagValues()).toEqual({ 'boxoffice-stage': 'production' });
    expect(NotificationsWithSubscribers).toHaveLength(2);
    for (const { Subscribers } of NotificationsWithSubscribers) {
      expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: { Ref: topic.id } }]);
    }
    expect(dev.ofType('AWS::Budgets::Budget')).toEqual([]);
  });
});
