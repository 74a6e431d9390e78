import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { production, rendered, renderedList } from './synthesized.ts';

describe('queues', () => {
  const queues = production.ofType('AWS::SQS::Queue');
  const called = (name: string) =>
    production.one('AWS::SQS::Queue', { QueueName: `boxoffice-production-${name}` });
  const consumers = functions.flatMap((row) =>
    'queue' in row.trigger ? [{ row, trigger: row.trigger }] : [],
  );

  it('are standard, encrypted, and refuse requests without TLS', () => {
    expect(queues).toHaveLength(2 * consumers.length);
    const closed = production
      .ofType('AWS::SQS::QueuePolicy')
      .filter(({ properties }) => JSON.stringify(properties).includes('"aws:SecureTransport":"false"'))
      .flatMap(({ properties }) => renderedList(properties.Queues));
    for (const { id, properties } of queues) {
      expect(properties.FifoQueue).toBeUndefined();
      expect(properties.SqsManagedSseEnabled).toBe(true);
      expect(closed).toContain(`\${${id}}`);
    }
  });

  it.each(consumers)('hide a message for six timeouts of $row.entry, five times', ({ row, trigger }) => {
    const { properties } = called(trigger.queue);
    const lambda = production.one('AWS::Lambda::Function', {
      FunctionName: `boxoffice-production-${row.entry.replaceAll('/', '-')}`,
    });
    expect(properties.VisibilityTimeout).toBe(6 * lambda.properties.Timeout);
    expect(properties.RedrivePolicy.maxReceiveCount).toBe(5);
    expect(rendered(properties.RedrivePolicy.deadLetterTargetArn)).toBe(
      `\${${called(`${trigger.queue}-dlq`).id}.Arn}`,
    );
    expect(called(`${trigger.queue}-dlq`).properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });

  it.each(consumers)('report partial batch failures and limit concurrency: $row.entry', ({ trigger }) => {
    const mapping = production
      .ofType('AWS::Lambda::EventSourceMapping')
      .find(
        ({ properties }) => rendered(properties.EventSourceArn) === `\${${called(trigger.queue).id}.Arn}`,
      );
    expect(mapping?.properties).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BatchSize: trigger.batchSize,
      ScalingConfig: { MaximumConcurrency: trigger.maxConcurrency },
    });
    // Lambda requires a batching window for batches of more than 10 messages.
    if (trigger.batchSize > 10) expect(mapping?.properties.MaximumBatchingWindowInSeconds).toBeGreaterThan(0);
  });

  it('have a consumer for every sender', () => {
    const sent = new Set(functions.flatMap(({ sends }) => sends ?? []));
    expect([...sent].sort()).toEqual(consumers.map(({ trigger }) => trigger.queue).sort());
  });
});
