import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { production, render, renderList } from './synthesized.ts';

describe('queues', () => {
  const queues = production.ofType('AWS::SQS::Queue');
  const getQueue = (name: string) =>
    production.getOne('AWS::SQS::Queue', { QueueName: `boxoffice-production-${name}` });
  const consumers = functions.flatMap((row) =>
    'queue' in row.trigger ? [{ row, trigger: row.trigger }] : [],
  );

  it('are standard, encrypted, and refuse requests without TLS', () => {
    expect(queues).toHaveLength(2 * consumers.length);
    const tlsOnly = production
      .ofType('AWS::SQS::QueuePolicy')
      .filter(({ properties }) => JSON.stringify(properties).includes('"aws:SecureTransport":"false"'))
      .flatMap(({ properties }) => renderList(properties.Queues));
    for (const { id, properties } of queues) {
      expect(properties.FifoQueue).toBeUndefined();
      expect(properties.SqsManagedSseEnabled).toBe(true);
      expect(tlsOnly).toContain(`\${${id}}`);
    }
  });

  it.each(consumers)(
    'hide a message for six times the timeout of $row.entry, and deliver it at most five times',
    ({ row, trigger }) => {
      const { properties } = getQueue(trigger.queue);
      const lambda = production.getOne('AWS::Lambda::Function', {
        FunctionName: `boxoffice-production-${row.entry.replaceAll('/', '-')}`,
      });
      expect(properties.VisibilityTimeout).toBe(6 * lambda.properties.Timeout);
      expect(properties.RedrivePolicy.maxReceiveCount).toBe(5);
      expect(render(properties.RedrivePolicy.deadLetterTargetArn)).toBe(
        `\${${getQueue(`${trigger.queue}-dlq`).id}.Arn}`,
      );
      expect(getQueue(`${trigger.queue}-dlq`).properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
    },
  );

  it.each(consumers)(
    'let $row.entry report failed messages of a batch, with limited concurrency',
    ({ trigger }) => {
      const mapping = production
        .ofType('AWS::Lambda::EventSourceMapping')
        .find(
          ({ properties }) => render(properties.EventSourceArn) === `\${${getQueue(trigger.queue).id}.Arn}`,
        );
      expect(mapping?.properties).toMatchObject({
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BatchSize: trigger.batchSize,
        ScalingConfig: { MaximumConcurrency: trigger.maxConcurrency },
      });
      // Lambda requires a batching window for batches of more than 10 messages.
      if (trigger.batchSize > 10)
        expect(mapping?.properties.MaximumBatchingWindowInSeconds).toBeGreaterThan(0);
    },
  );

  it('have a consumer if a function sends to them, and only then', () => {
    const queuesSentTo = new Set(functions.flatMap(({ sends }) => sends ?? []));
    expect([...queuesSentTo].sort()).toEqual(consumers.map(({ trigger }) => trigger.queue).sort());
  });
});
