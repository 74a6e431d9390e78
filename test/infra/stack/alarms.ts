import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { stages } from '../../../infra/stages.ts';
import { type Resource, rendered, synthesize } from './synthesized.ts';

const stage = { ...stages.production, alarmEmail: 'oncall@boxoffice.example' };
const production = synthesize(stage);
const topic = production.one('AWS::SNS::Topic');
const alarms = production
  .ofType('AWS::CloudWatch::Alarm')
  .filter(({ properties }) => properties.AlarmActions !== undefined);
const read = (file: string) =>
  readFileSync(path.resolve(import.meta.dirname, '..', '..', '..', file), 'utf8');

const nameOf = ({ properties }: Resource): string =>
  properties.AlarmName.replace('boxoffice-production-', '');
const called = (name: string) => {
  const alarm = alarms.find((candidate) => nameOf(candidate) === name);
  if (!alarm) throw new Error(`No alarm ${name}`);
  return alarm.properties;
};

describe('alarms', () => {
  const queues = functions.flatMap(({ trigger }) => ('queue' in trigger ? [trigger.queue] : []));
  const webhooks = functions
    .filter(({ entry }) => entry.startsWith('webhooks/'))
    .map(({ entry }) => entry.replace('/', '-'));
  const expected = [
    'api-5xx',
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
    ...queues.flatMap((name) => [`${name}-dead-letters`, `${name}-delayed`]),
    'workers-sweep-missing',
    'webhook-throttles',
    'lambda-throttles',
    'table-throttles',
    'api-throttles',
  ];

  it('are these, and notify the topic when they fire and when they clear', () => {
    expect(alarms.map(nameOf).sort()).toEqual([...expected].sort());
    for (const { properties } of alarms) {
      expect(properties.AlarmActions).toEqual([{ Ref: topic.id }]);
      expect(properties.OKActions).toEqual([{ Ref: topic.id }]);
    }
  });

  it.each(expected)('docs/operations.md says what to do about %s', (name) => {
    const generic = name
      .replace(/^webhooks-gateway-\w/, 'webhooks-*')
      .replace(/^(fulfil|mint|payout|settle|event)-(?=d)/, '*-')
      .replace(/-\d+$/, '-*');
    expect(read('docs/operations.md')).toContain(`\`${generic}\``);
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
    expect(called('api-throttles')).toMatchObject(
      (({ MetricName, MetricNamespace }) => ({ MetricName, Namespace: MetricNamespace }))(
        properties.MetricTransformations[0],
      ),
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
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    );
  });

  it('sends e-mail when an address is configured', () => {
    expect(production.one('AWS::SNS::Subscription').properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'oncall@boxoffice.example',
    });
  });
});

const counters = [...read('shared/runtime/metrics.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
  ([, name]) => name ?? '',
);

describe('a metric of the code', () => {
  it('fires an alarm unless it is normal', () => {
    const usual = ['OrdersCompleted', 'OrdersExpired', 'OutboxResent', 'WebhooksUnknown'];
    const watched = alarms.map(({ properties }) => properties.MetricName);
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
