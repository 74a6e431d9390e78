import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { createRequestHandler } from 'local-aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { smokeTest } from '../../infra/ops/smoke-test.ts';
import type { RawItem } from '../../infra/ops/table.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { eventually } from '../support/eventually.ts';

const accountId = '111122223333';
const region = 'eu-west-1';
const environment = { AWS_REGION: region, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
const script = path.resolve(import.meta.dirname, '../../infra/ops/main.ts');

let server: Server;
let url: string;
let client: SQSClient;

beforeAll(async () => {
  server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const deadLetterTargetArn = (name: string) => `arn:aws:sqs:${region}:${accountId}:${name}-dlq`;
  const { requestHandler } = createRequestHandler({
    port,
    hostname: '127.0.0.1',
    region,
    accountId,
    queues: [
      'fulfil-orders',
      'mint-tickets',
      'send-money',
      'settle-orders',
      'run-event-jobs',
      'send-mail',
      'send-links',
      'record-mail-events',
      'deliver-webhooks',
      'resize-pictures',
    ].flatMap((queue) => {
      const name = `boxoffice-staging-${queue}`;
      const RedrivePolicy = JSON.stringify({
        deadLetterTargetArn: deadLetterTargetArn(name),
        maxReceiveCount: 1,
      });
      return [{ QueueName: `${name}-dlq` }, { QueueName: name, Attributes: { RedrivePolicy } }];
    }),
  });
  server.on('request', requestHandler);
  url = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new SQSClient({ endpoint: url, region, credentials });
});
afterAll(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const runRedrive = (...options: string[]) =>
  promisify(execFile)(process.execPath, [script, 'redrive', ...options], {
    env: { ...process.env, ...environment, AWS_ENDPOINT_URL_SQS: url },
  });
const queueUrl = (name: string) => `${url}/${accountId}/boxoffice-staging-${name}`;
const countMessages = async (name: string) => {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl(name),
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages);
};

/** Sends messages to a queue and receives them until it moves them to its dead-letter queue. */
async function createDeadLetters(name: string, count: number): Promise<void> {
  const QueueUrl = queueUrl(name);
  for (let sent = 0; sent < count; sent++) {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: `{"orderId":"${sent}"}` }));
  }
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
  const moved = await eventually('the messages are in the dead-letter queue', async () => {
    await client.send(command);
    const found = await countMessages(`${name}-dlq`);
    return found >= count && found;
  });
  expect(moved).toBe(count);
}

describe('npm run ops -- redrive', () => {
  it('counts the dead letters of all queues, and with --queue moves those of one queue back', async () => {
    await createDeadLetters('mint-tickets', 2);
    const counted = await runRedrive('--stage', 'staging');
    expect(counted.stdout).toBe(
      'deliver-webhooks: 0\nfulfil-orders: 0\nmint-tickets: 2\nrecord-mail-events: 0\nresize-pictures: 0\nrun-event-jobs: 0\nsend-links: 0\nsend-mail: 0\nsend-money: 0\nsettle-orders: 0\n',
    );
    const moved = await runRedrive('--stage', 'staging', '--queue', 'mint-tickets', '--per-second', '50');
    expect(moved.stdout).toBe('Moving 2 messages back to mint-tickets, at most 50 a second.\n');
    await eventually('the messages are moved', async () => (await countMessages('mint-tickets')) === 2);
    expect(await countMessages('mint-tickets-dlq')).toBe(0);
    const again = await runRedrive('--stage', 'staging', '--queue', 'mint-tickets');
    expect(again.stdout).toBe('The dead-letter queue of mint-tickets is empty.\n');
  });

  it.each([
    [['--stage', 'prod'], 'There is no stage "prod": choose dev, staging, production\n'],
    [
      ['--stage', 'staging', '--queue', 'mints'],
      'There is no queue "mints". Choose one of: deliver-webhooks, fulfil-orders, mint-tickets, record-mail-events, resize-pictures, run-event-jobs, send-links, send-mail, send-money, settle-orders\n',
    ],
    [
      ['--stage', 'staging', '--queue', 'mint-tickets', '--per-second', '0'],
      '--per-second must be a whole number from 1 to 500\n',
    ],
  ])('refuses %j with one line on stderr', async (options, stderr) => {
    await expect(runRedrive(...options)).rejects.toMatchObject({ code: 1, stdout: '', stderr });
  });
});

const at = '2026-11-21T13:00:00.000Z';
const order = {
  ...keys.order('order'),
  id: 'order',
  eventId: 'event',
  userId: 'buyer',
  buyer: 'buyer',
  items: ['tier:2:5000'],
  currency: 'USD',
  totalAmount: 10_250,
  paymentMethod: 'FIAT',
  reference: 'BOX-EVENT-1795000000000-7Q2WK9XD',
  customerEmail: 'ben@example.com',
  customerName: 'Ben',
  paymentStatus: 'COMPLETED',
  fulfilmentStatus: 'not-needed',
  holdsInventory: true,
  createdAt: at,
  updatedAt: at,
  expiresAt: at,
};
const buyer = (counters: Record<string, number>) => ({ ...keys.buyer('event', 'buyer'), ...counters });
const reconcile = (...items: RawItem[]) => findInventoryDifferences(async () => items);
const difference = (counter: string, expected: number, found: number) => ({
  subject: `buyer buyer of event event: ${counter}`,
  expected,
  found,
});

it.each([
  ['right', [buyer({ total: 2, tier_tier: 2 })], []],
  ['wrong', [buyer({ total: 2, tier_tier: 3 })], [difference('tier_tier', 2, 3)]],
  ['without orders', [buyer({ total: 2, tier_tier: 2, tier_other: 1 })], [difference('tier_other', 0, 1)]],
  ['partly missing', [buyer({ total: 2 })], [difference('tier_tier', 2, 0)]],
  ['missing', [], [difference('total', 2, 0), difference('tier_tier', 2, 0)]],
])('compares the counters of a buyer: %s', async (_, buyers, differences) => {
  expect(await reconcile(order, ...buyers)).toEqual(differences);
});

it('the smoke test names the request whose response ends early', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(smokeTest({ url }).next()).rejects.toThrow('GET /api/health got no response');
  server.close();
});
