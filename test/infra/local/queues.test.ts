import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { completeRow } from '../../../infra/functions.ts';
import { type Message, QueueClient, startPollers } from '../../../infra/local/lambda/triggers.ts';
import { credentials, region, type Sqs, startSqs } from '../../../infra/local/services/aws.ts';
import { listen } from '../../../infra/local/services/process.ts';
import { Deliveries } from '../../../infra/sandbox/deliveries.ts';
import { eventually } from '../../support/eventually.ts';

/**
 * The visibility timeout is six times the function's timeout: two seconds. Redeliveries are quick, and yet a slow machine
 * has time to receive the rest of a batch before its first message becomes visible again.
 */
const row = completeRow({
  entry: 'workers/fixture',
  trigger: { queue: 'fulfil-orders', batchSize: 10, batchSeconds: 0, maxConcurrency: 2 },
  table: [],
  timeoutSeconds: 1 / 6,
});

let folder: string;
let sqs: Sqs;
let stopPollers: () => void;
let client: SQSClient;
const calls: SQSEvent[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-queues-'));
  sqs = await startSqs([row]);
  client = new SQSClient({ endpoint: sqs.url, region, credentials });
  stopPollers = startPollers([row], sqs.queueUrls, async (_, event) => work(event as SQSEvent), []);
});
afterAll(() => {
  stopPollers();
  client.destroy();
  sqs.server.closeAllConnections();
  sqs.server.close();
  rmSync(folder, { recursive: true });
});

/** A worker that reports messages with the body "poison" as failed, and fails entirely on the body "crash". */
function work(event: SQSEvent) {
  calls.push(event);
  if (event.Records.some(({ body }) => body === 'crash')) {
    return { failure: { errorType: 'Error', errorMessage: 'crashed' } };
  }
  const poison = event.Records.filter(({ body }) => body === 'poison');
  const batchItemFailures = poison.map(({ messageId }) => ({ itemIdentifier: messageId }));
  return { payload: JSON.stringify({ batchItemFailures }) };
}

const send = (MessageBody: string) =>
  client.send(new SendMessageCommand({ QueueUrl: sqs.queueUrls['fulfil-orders'], MessageBody }));
const receivedRecords = (body: string) =>
  calls.flatMap(({ Records }) => Records.filter((record) => record.body === body));
const countMessages = async (queue: string) => {
  const command = new GetQueueAttributesCommand({ QueueUrl: sqs.queueUrls[queue], AttributeNames: ['All'] });
  return Number((await client.send(command)).Attributes?.ApproximateNumberOfMessages);
};

test('records have the format of SQS, and processed messages are deleted', async () => {
  await send('fine');
  expect(await eventually('the message is received', () => receivedRecords('fine').length)).toBe(1);
  expect(receivedRecords('fine')[0]).toMatchObject({
    eventSource: 'aws:sqs',
    eventSourceARN: expect.stringMatching(/:fulfil-orders$/),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
  });
  await eventually('the message is deleted', async () => (await countMessages('fulfil-orders')) === 0);
  expect(await countMessages('fulfil-orders')).toBe(0);
});

test('only the failed messages of a batch are redelivered', async () => {
  await Promise.all(['one', 'poison', 'two'].map(send));
  await eventually('the failed message is redelivered', () => receivedRecords('poison').length >= 2);
  expect(receivedRecords('one')).toHaveLength(1);
  expect(receivedRecords('two')).toHaveLength(1);
  expect(receivedRecords('poison')[1]?.attributes.ApproximateReceiveCount).toBe('2');
});

test('while a tenant has a backlog, the messages of another come first', async () => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const order: string[] = [];
  const handle = async (_: unknown, event: unknown) => {
    order.push(...(event as SQSEvent).Records.map(({ body }) => body));
    await isReleased;
    return { payload: '{}' };
  };
  const slow = completeRow({
    entry: 'workers/slow',
    trigger: { queue: 'send-mail', batchSize: 1, batchSeconds: 0, maxConcurrency: 2 },
    table: [],
    timeoutSeconds: 30,
  });
  const { server, url, queueUrls } = await startSqs([slow]);
  const sender = new SQSClient({ endpoint: url, region, credentials });
  const sendAs = (MessageGroupId: string, MessageBody: string) =>
    sender.send(new SendMessageCommand({ QueueUrl: queueUrls['send-mail'], MessageBody, MessageGroupId }));
  for (let number = 0; number < 30; number++) await sendAs('noisy', `noisy ${number}`);
  await sendAs('quiet', 'quiet');
  const receive = vi.spyOn(QueueClient.prototype, 'receive');
  const stop = startPollers([slow], queueUrls, handle, []);
  onTestFinished(() => {
    stop();
    receive.mockRestore();
    sender.destroy();
    server.closeAllConnections();
    server.close();
  });
  const hasReceived = (body: string) =>
    receive.mock.settledResults.some(({ value }) =>
      value?.some?.((message: Message) => message.Body === body),
    );
  await eventually('the poller has received all messages', () => hasReceived('quiet'));
  release();
  await eventually('all are processed', () => order.length === 31);
  // The first message is no backlog, and the next is as old as that of the other tenant.
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(2);
});

test('a message that failed five times goes to the dead-letter queue', async () => {
  await send('crash');
  // The second message is the "poison" of the previous test.
  await eventually(
    'the dead-letter queue has two messages',
    async () => (await countMessages('fulfil-orders-dlq')) === 2,
  );
  expect(await countMessages('fulfil-orders-dlq')).toBe(2);
  expect(receivedRecords('crash')).toHaveLength(5);
});

/** Retries without pauses. */
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise(setImmediate) }));

test('a webhook that is never answered with 200 is sent seven times, and not again after the sandbox restarts', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-deliveries-'));
  const received: string[] = [];
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.writeHead(500).end();
  });
  const apiUrl = `http://127.0.0.1:${await listen(service, 0)}`;
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, 'sandbox.jsonl');
  const countGivenUp = () => readFileSync(file, 'utf8').split('"done":true').length - 1;
  const withoutSignature = () => ({});
  const countAttempts = (id: number) => received.filter((body) => body === JSON.stringify({ id })).length;
  const sendUntilGivenUp = async (id: number) => {
    const deliveries = new Deliveries(file, apiUrl, withoutSignature);
    expect(await deliveries.send('gateway-a', { id })).toMatchObject([{ status: 500 }]);
    await eventually('the webhook was sent seven times', () => countAttempts(id) >= 7);
    await eventually('the provider gives up', () => countGivenUp() >= id);
    deliveries.stop();
  };

  await sendUntilGivenUp(1);
  await sendUntilGivenUp(2);
  expect([countAttempts(1), countAttempts(2)]).toEqual([7, 7]);
});
