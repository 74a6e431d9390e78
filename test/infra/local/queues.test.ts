import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completeRow } from '../../../infra/functions.ts';
import { credentials, region } from '../../../infra/local/parts/aws.ts';
import { startPollers } from '../../../infra/local/parts/queues.ts';
import { type Sqs, startSqs } from '../../../infra/local/parts/sqs.ts';
import { Ports } from '../../../infra/local/ports.ts';
import { eventually } from '../../support/eventually.ts';

/** A timeout of a sixth of a second gives a visibility timeout of one second, so that redeliveries are quick. */
const row = completeRow({
  entry: 'workers/fixture',
  trigger: { queue: 'fulfil', batchSize: 10, batchSeconds: 0, maxConcurrency: 2 },
  table: [],
  timeoutSeconds: 1 / 6,
});

let folder: string;
let sqs: Sqs;
let stop: () => void;
let client: SQSClient;
const calls: SQSEvent[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-queues-'));
  sqs = await startSqs([row], new Ports(path.join(folder, 'ports.json')));
  client = new SQSClient({ endpoint: sqs.url, region, credentials });
  stop = startPollers([row], sqs.queueUrls, async (_, event) => answer(event as SQSEvent), []);
});
afterAll(() => {
  stop();
  client.destroy();
  sqs.server.closeAllConnections();
  sqs.server.close();
  rmSync(folder, { recursive: true });
});

/** A worker that reports "poison" messages as failed, and throws on "crash". */
function answer(event: SQSEvent) {
  calls.push(event);
  if (event.Records.some(({ body }) => body === 'crash')) {
    return { failure: { errorType: 'Error', errorMessage: 'crashed' } };
  }
  const poison = event.Records.filter(({ body }) => body === 'poison');
  const batchItemFailures = poison.map(({ messageId }) => ({ itemIdentifier: messageId }));
  return { payload: JSON.stringify({ batchItemFailures }) };
}

const send = (MessageBody: string) =>
  client.send(new SendMessageCommand({ QueueUrl: sqs.queueUrls.fulfil, MessageBody }));
const received = (body: string) =>
  calls.flatMap(({ Records }) => Records.filter((record) => record.body === body));
const waiting = async (queue: string) => {
  const command = new GetQueueAttributesCommand({ QueueUrl: sqs.queueUrls[queue], AttributeNames: ['All'] });
  return Number((await client.send(command)).Attributes?.ApproximateNumberOfMessages);
};

test('records have the format of SQS, and processed messages are deleted', async () => {
  await send('fine');
  expect(await eventually('the message is received', () => received('fine').length)).toBe(1);
  expect(received('fine')[0]).toMatchObject({
    eventSource: 'aws:sqs',
    eventSourceARN: expect.stringMatching(/:fulfil$/),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
  });
  await eventually('the message is deleted', async () => (await waiting('fulfil')) === 0);
  expect(await waiting('fulfil')).toBe(0);
});

test('only the failed messages of a batch are redelivered', async () => {
  await Promise.all(['one', 'poison', 'two'].map(send));
  await eventually('the failed message is redelivered', () => received('poison').length >= 2);
  expect(received('one')).toHaveLength(1);
  expect(received('two')).toHaveLength(1);
  expect(received('poison')[1]?.attributes.ApproximateReceiveCount).toBe('2');
});

test('a message that failed five times goes to the dead-letter queue', async () => {
  await send('crash');
  await eventually('the dead-letter queue has two messages', async () => (await waiting('fulfil-dlq')) === 2);
  expect(await waiting('fulfil-dlq')).toBe(2);
  expect(received('crash')).toHaveLength(5);
});
