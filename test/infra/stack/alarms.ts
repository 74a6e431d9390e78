import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { dev, production, type Resource, render, stages, staging } from './synthesized.ts';

const stage = stages.production;
const topicOf = (name: string) =>
  production.getOne('AWS::SNS::Topic', { TopicName: `boxoffice-production-${name}` });
const [pages, tickets] = [topicOf('alarms'), topicOf('tickets')];
const alarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
  .flatMap((type) => production.ofType(type))
  .filter(({ properties }) => properties.AlarmActions !== undefined);
const read = (file: string) =>
  readFileSync(path.resolve(import.meta.dirname, '..', '..', '..', file), 'utf8');

const nameOf = ({ properties }: Resource): string =>
  render(properties.AlarmName).replace('boxoffice-production-', '');
const getAlarm = (name: string) => {
  const alarm = alarms.find((candidate) => nameOf(candidate) === name);
  if (!alarm) throw new Error(`No alarm ${name}`);
  return alarm.properties;
};

/** Returns the metrics that an alarm watches. */
const metricsOf = (name: string): { MetricName?: string; Namespace?: string }[] => {
  const { Metrics, ...alarm } = getAlarm(name);
  if (!Metrics) return [alarm];
  return Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: object } }) => MetricStat?.Metric ?? []);
};

describe('alarms', () => {
  const queues = functions.flatMap(({ trigger }) => ('queue' in trigger ? [trigger.queue] : []));
  it('page somebody only when sales, payments or entry stop, and otherwise write a ticket', () => {
    expect(alarms.length).toBeGreaterThan(30);
    const paging = alarms.filter(({ properties }) => properties.AlarmActions[0].Ref === pages.id);
    expect(paging.map(nameOf).sort()).toEqual([
      'api-errors-fast',
      'index-throttles',
      'lambda-throttles',
      'table-throttles',
      'webhook-errors-fast',
      'webhook-throttles',
      'webhooks-gateway-a-5xx',
      'webhooks-gateway-b-5xx',
      'webhooks-gateway-c-5xx',
      'workers-sweep-missing',
    ]);
    for (const alarm of alarms) {
      const topic = paging.includes(alarm) ? pages : tickets;
      expect(alarm.properties.AlarmActions).toEqual([{ Ref: topic.id }]);
      expect(alarm.properties.OKActions).toEqual([{ Ref: topic.id }]);
    }
  });

  it('on DynamoDB never lack data, since CloudWatch would keep their state whatever they say', () => {
    const ofTable = alarms.filter(({ properties }) => JSON.stringify(properties).includes('"AWS/DynamoDB"'));
    expect(ofTable).toHaveLength(3);
    for (const { properties } of ofTable) {
      const { Expression } = properties.Metrics.find((metric: { Expression?: string }) => metric.Expression);
      for (const { Id, MetricStat } of properties.Metrics)
        if (MetricStat) expect(Expression.replaceAll(`FILL(${Id}, 0)`, '')).not.toMatch(`\\b${Id}\\b`);
      expect(properties.TreatMissingData).toBe('ignore');
    }
  });

  it.each(alarms.map(nameOf))(
    '%s has a description with its meaning, a runbook and a console link',
    (name) => {
      const [meaning, runbook = '', console] = render(getAlarm(name).AlarmDescription).split('\n');
      expect(meaning).toMatch(/\.$/);
      const [, address, anchor] = /^Runbook: (.*)#(.*)$/.exec(runbook) ?? [];
      expect(address).toBe(stage.runbook);
      expect(read('docs/operations.md')).toContain(`<a id="${anchor}">`);
      expect(console).toMatch(/^Console: https:\/\/\$\{AWS::Region\}\.console\.aws\.amazon\.com\//);
    },
  );

  it.each([
    ['api-errors', 'fast', ['5m', '60m'], 1.44],
    ['api-errors', 'slow', ['30m', '360m'], 0.6],
    ['webhook-errors', 'fast', ['5m', '60m'], 0.72],
    ['webhook-errors', 'slow', ['30m', '360m'], 0.3],
  ])('%s-%s fires when both windows %j exceed an error rate of %d %%', (name, suffix, windows, percent) => {
    const rule = render(getAlarm(`${name}-${suffix}`).AlarmRule);
    const parts = windows.map((window) =>
      production.getOne('AWS::CloudWatch::Alarm', { AlarmName: `boxoffice-production-${name}-${window}` }),
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

  it('watch throttles of indexes, which the table’s metric does not include', () => {
    const indexes = JSON.stringify(getAlarm('index-throttles').Metrics);
    for (const name of ['byOwner', 'byEvent', 'byDue']) expect(indexes).toContain(`"${name}"`);
    expect(JSON.stringify(getAlarm('transaction-conflicts').Metrics)).toContain('TransactionConflict');
  });

  it('have at most as many metrics as CloudWatch allows in an expression', () => {
    for (const { properties } of production.ofType('AWS::CloudWatch::Alarm')) {
      expect(properties.Metrics?.length ?? 1).toBeLessThanOrEqual(10);
    }
  });

  it('watch webhooks for responses that take more than 5 s', () => {
    expect(getAlarm('webhooks-gateway-a-slow')).toMatchObject({
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
      expect(getAlarm(`${queue}-dead-letters`)).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: `boxoffice-production-${queue}-dlq` }],
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      });
    }
  });

  it('watch the minting account with the lowest balance on each chain', () => {
    expect(getAlarm('minter-balance-137')).toMatchObject({
      MetricName: 'MinterBalance',
      Dimensions: [{ Name: 'chain', Value: '137' }],
      Statistic: 'Minimum',
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'ignore',
    });
    expect(getAlarm('minter-balance-137').Threshold).toBe(stage.chains[0]?.lowBalance);
  });

  it('fire when the sweep does not run', () => {
    expect(getAlarm('workers-sweep-missing')).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it('count throttled API requests in the access log, since API Gateway has no metric for them', () => {
    const { properties } = production.getOne('AWS::Logs::MetricFilter');
    expect(properties.FilterPattern).toBe('{ ($.status = "429") && ($.integrationStatus = "-") }');
    const [{ MetricName, MetricNamespace }] = properties.MetricTransformations;
    expect(metricsOf('api-throttles')).toContainEqual(
      expect.objectContaining({ MetricName, Namespace: MetricNamespace }),
    );
  });
});

describe('the topics', () => {
  it('accept messages only from this account’s alarms and budgets, over TLS', () => {
    const policies = production.ofType('AWS::SNS::TopicPolicy');
    expect(policies).toHaveLength(2);
    for (const { properties } of policies)
      expect(properties.PolicyDocument.Statement).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            Effect: 'Allow',
            Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
          expect.objectContaining({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      );
  });

  it('send e-mail to the configured addresses', () => {
    const addressesOf = (stack: typeof production, topicName: string) => {
      const { id } = stack.getOne('AWS::SNS::Topic', { TopicName: `boxoffice-${stack.stage}-${topicName}` });
      return stack
        .ofType('AWS::SNS::Subscription')
        .filter(({ properties }) => properties.TopicArn.Ref === id)
        .map(({ properties }) => [properties.Protocol, properties.Endpoint]);
    };
    expect(addressesOf(production, 'alarms')).toEqual([['email', 'oncall@boxoffice.test']]);
    expect(addressesOf(production, 'tickets')).toEqual([['email', 'tickets@boxoffice.test']]);
    // Without an address for tickets, one receives both.
    expect(addressesOf(staging, 'tickets')).toEqual([['email', 'oncall@boxoffice.test']]);
  });
});

const counters = [...read('shared/runtime/telemetry.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
  ([, name]) => name ?? '',
);

describe('a counter of shared/runtime/telemetry.ts', () => {
  it('fires an alarm unless it counts normal behaviour', () => {
    const normal = [
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
    expect(counters.filter((name) => !watched.includes(name)).sort()).toEqual(normal);
  });
});

describe('the dashboard', () => {
  it('shows the alarms and every counter', () => {
    const { properties } = production.getOne('AWS::CloudWatch::Dashboard');
    const body = render(properties.DashboardBody);
    for (const { id } of alarms) expect(body).toContain(`\${${id}.Arn}`);
    expect(counters.length).toBeGreaterThan(7);
    for (const counter of [...counters, 'MinterBalance']) expect(body).toContain(counter);
    expect(JSON.parse(body).widgets.length).toBeGreaterThan(10);
  });
});

describe('the budget', () => {
  it('notifies the topic about the costs of resources with the stage’s tag, at two thresholds', () => {
    const { Budget, NotificationsWithSubscribers } = production.getOne('AWS::Budgets::Budget').properties;
    expect(Budget).toMatchObject({
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: stage.monthlyBudget, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:boxoffice-stage$production'] },
    });
    expect(production.stack.tags.tagValues()).toEqual({ 'boxoffice-stage': 'production' });
    expect(NotificationsWithSubscribers).toHaveLength(2);
    for (const { Subscribers } of NotificationsWithSubscribers) {
      expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: { Ref: tickets.id } }]);
    }
    expect(dev.ofType('AWS::Budgets::Budget')).toEqual([]);
  });
});
