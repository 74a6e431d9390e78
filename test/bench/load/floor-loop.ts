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

let paidOrders = 0;

async function processOrder(): Promise<boolean> {
  const id = randomUUID();
  await initialize(id);
  await confirm(id);
  if (++paidOrders % 10 === 0) {
    await fulfil();
    await sendMails();
  }
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
  await table.send(new UpdateCommand(toAssignment(key('order', id), 'checkoutUrl', textOf(100))));
}

async function confirm(id: string): Promise<void> {
  await table.send(new GetCommand({ TableName, Key: key('order', id), ConsistentRead: true }));
  await table.send(new UpdateCommand(toAssignment(key('order', id), 'state', 'COMPLETED')));
  await sqs.send(new SendMessageCommand({ QueueUrl: fulfilQueue.url, MessageBody: JSON.stringify({ id }) }));
}

function fulfil(): Promise<void> {
  return fulfilQueue.handleBatch(async (messages) => {
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

function sendMails(): Promise<void> {
  return mailQueue.handleBatch(async (messages) => {
    for (const { Body = '{}' } of messages) await sendMail(JSON.parse(Body).id);
  });
}

async function sendMail(id: string): Promise<void> {
  const get = (name: string) =>
    table.send(new GetCommand({ TableName, Key: key(name, id), ConsistentRead: true }));
  await get('mail');
  await table.send(new UpdateCommand(toAssignment(key('mail', id), 'notBefore', textOf(24))));
  await get('order');
  const Keys = [key('event', ''), key('texts', '')];
  await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
  await get('user');
  await table.send(
    new QueryCommand({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': key('seat', id).pk },
    }),
  );
  await get('user');
  await table.send(new UpdateCommand(toAddition(key('attempts', id), 1)));
  const Destination = { ToAddresses: [`${id}@example.com`] };
  await mailService.send(new SendEmailCommand({ Destination, Content: { Raw: { Data: mail } } }));
  await table.send(new UpdateCommand(toAssignment(key('mail', id), 'status', 'sent')));
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

process.on('message', async (load: { concurrency: number; seconds: number }) =>
  process.send?.(await runLoad(load, processOrder)),
);
// The parent process has ended.
process.once('disconnect', () => process.exit());
