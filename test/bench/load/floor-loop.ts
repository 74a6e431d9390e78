import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { FloorLoad } from './floor.ts';
import { LoopQueue, sqs } from './loop-queue.ts';
import { runLoad } from './run-load.ts';

/**
 * The baseline for the service's throughput: a bare loop that makes an order's requests to table, queue, gateway and
 * mail service, as test/bench/budgets counts them, through the SDK's clients. It has no HTTP server, validation,
 * signatures or logs.
 */

const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const mailService = new SESv2Client();
const TableName = process.env.TABLE_NAME ?? '';
const fulfilQueue = await LoopQueue.create('floor-fulfil');
const mailQueue = await LoopQueue.create('floor-mail');

/** Returns filler text. The lengths in this file are those of the service's data. */
const textOf = (bytes: number) => 'x'.repeat(bytes);
const key = (kind: string, id: string) => ({ pk: `FLOOR#${kind}#${id}`, sk: kind });
/** As large as a mail with two QR codes. */
const mail = Buffer.from(`From: tickets@boxoffice.test\r\nSubject: Your tickets\r\n\r\n${textOf(14_000)}`);

/** How many orders the service fulfils together, on average. */
let ordersPerBatch = 1;
/** The paid orders that are not fulfilled yet, as a share of the next batch. */
let batchShare = 0;

async function processOrder(): Promise<boolean> {
  const id = randomUUID();
  await initialize(id);
  await confirm(id);
  batchShare += 1 / ordersPerBatch;
  if (batchShare >= 1) {
    batchShare -= 1;
    await fulfil();
  }
  await sendMail();
  return true;
}

async function initialize(id: string): Promise<void> {
  const Keys = [key('event', ''), key('inventory', '')];
  await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
  const order = { ...key('order', id), state: 'PENDING', text: textOf(1_000) };
  await table.send(
    new TransactWriteCommand({
      TransactItems: [
        { Update: toAddition(key('inventory', ''), -2) },
        { Update: toAddition(key('buyer', id), 2) },
        { Put: { TableName, Item: order, ConditionExpression: 'attribute_not_exists(pk)' } },
      ],
    }),
  );
  await startPayment(id);
  await update(toAssignment(key('order', id), 'checkoutUrl', textOf(100)));
}

async function confirm(id: string): Promise<void> {
  await get('order', id);
  await update(toAssignment(key('order', id), 'state', 'COMPLETED'));
  await sqs.send(new SendMessageCommand({ QueueUrl: fulfilQueue.url, MessageBody: JSON.stringify({ id }) }));
}

function fulfil(): Promise<void> {
  return fulfilQueue.handleBatch(10, async (messages) => {
    const ids = messages.map(({ Body = '{}' }): string => JSON.parse(Body).id);
    const Keys = ids.flatMap((id) => [key('order', id), key('user', id)]);
    await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
    const notifications = ids.map((id) => ({
      PutRequest: { Item: { ...key('notification', id), text: textOf(350) } },
    }));
    await table.send(new BatchWriteCommand({ RequestItems: { [TableName]: notifications } }));
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          ...ids.flatMap((id) => [
            { Update: toAssignment(key('order', id), 'posted', textOf(100)) },
            { Put: { TableName, Item: { ...key('mail', id), text: textOf(300) } } },
          ]),
          { Put: { TableName, Item: { ...key('entry', randomUUID()), text: textOf(1_800) } } },
          { Update: toAddition(key('balance', ''), 100) },
        ],
      }),
    );
    const Entries = ids.map((id, index) => ({ Id: `${index}`, MessageBody: JSON.stringify({ id }) }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: mailQueue.url, Entries }));
  });
}

/** Sends the mail of one fulfilled order, if there is one. */
function sendMail(): Promise<void> {
  return mailQueue.handleBatch(1, async ([message]) => {
    const { id } = JSON.parse(message?.Body ?? '{}');
    await update(toAssignment(key('mail', id), 'notBefore', textOf(24)));
    await get('order', id);
    const Keys = [key('event', ''), key('texts', '')];
    await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
    await table.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': key('seat', id).pk },
      }),
    );
    await get('user', id);
    await update(toAddition(key('attempts', id), 1));
    const Destination = { ToAddresses: [`${id}@example.com`] };
    await mailService.send(new SendEmailCommand({ Destination, Content: { Raw: { Data: mail } } }));
    await update(toAssignment(key('mail', id), 'status', 'sent'));
  });
}

/** Changes an item and returns it, as the service's updates do. */
function update(change: ReturnType<typeof toAddition | typeof toAssignment>) {
  return table.send(new UpdateCommand({ ...change, ReturnValues: 'ALL_NEW' }));
}

function get(kind: string, id: string) {
  return table.send(new GetCommand({ TableName, Key: key(kind, id), ConsistentRead: true }));
}

async function startPayment(reference: string): Promise<void> {
  const response = await fetch(`${process.env.GATEWAY_A_URL}/transaction/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.GATEWAY_A_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reference, amount: 10_250, currency: 'USD', email: 'buyer@example.com' }),
  });
  if (!response.ok) throw new Error(`The gateway answered ${response.status}`);
  await response.json();
}

function toAddition(Key: Record<string, string>, number: number) {
  return {
    TableName,
    Key,
    UpdateExpression: 'ADD #number :number',
    ExpressionAttributeNames: { '#number': 'number' },
    ExpressionAttributeValues: { ':number': number },
  };
}

function toAssignment(Key: Record<string, string>, name: string, value: string) {
  return {
    TableName,
    Key,
    UpdateExpression: 'SET #name = :value',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value },
  };
}

process.on('message', async (load: FloorLoad) => {
  ordersPerBatch = load.ordersPerBatch;
  process.send?.(await runLoad(load, processOrder));
});
// The parent process has ended.
process.once('disconnect', () => process.exit());
