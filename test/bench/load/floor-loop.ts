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
import { toMime } from '../../../shared/jobs/mail/layout/mime.ts';
import { drawCodeAsPng } from '../../../shared/tickets/check-in/qr-code.ts';
import type { FloorLoad } from './floor.ts';
import { LoopQueue, sqs } from './loop-queue.ts';
import { runLoad } from './run-load.ts';

/**
 * The baseline for the service's throughput: a bare loop that makes an order's requests to table, queue, gateway and
 * mail service through the SDK's clients. It has no HTTP server, validation, signatures or logs. test/bench/budgets holds
 * its requests to the table, and their units, to those of the service.
 */

const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const mailService = new SESv2Client();
const TableName = process.env.TABLE_NAME ?? '';
const fulfilQueue = await LoopQueue.create('floor-fulfil');
const mailQueue = await LoopQueue.create('floor-mail');

/** Returns filler text. The lengths in this file are those of the service's data. */
const textOf = (bytes: number) => 'x'.repeat(bytes);
/** Returns filler attributes: as many, and of the same size, as the service's item of that kind has on average. */
const attributesOf = (count: number, bytes: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`attribute${index}`, textOf(bytes)]));
const key = (kind: string, id: string) => ({ pk: `FLOOR#${kind}#${id}`, sk: kind });
/** The index attributes of due work, in a partition that the sweep does not read. */
const dueNow = () => ({ duePk: 'FLOOR#due', dueAt: new Date().toISOString() });
/** A mail with two tickets, as the service sends. */
const mail = await toMime(
  {
    to: 'buyer@example.com',
    subject: 'Your tickets to An Evening of Lambdas',
    summary:
      'You have 2 tickets to An Evening of Lambdas. Show the QR code at the door, on your phone or on paper.',
    body: [
      {
        facts: [
          ['When', textOf(40)],
          ['Where', textOf(40)],
          ['Tickets', textOf(12)],
          ['Reference', textOf(30)],
        ],
      },
      ...[1, 2].map((number) => {
        const code = textOf(60);
        return {
          ticket: { title: `Ticket ${number} of 2`, detail: textOf(40), code, image: drawCodeAsPng(code) },
        };
      }),
      { button: 'Open your order', url: 'https://boxoffice.test/orders/1' },
      { paragraph: 'Each code admits one person, once. Do not share this mail.' },
    ],
    calendar: textOf(500),
  },
  'Boxoffice <tickets@boxoffice.test>',
);

/** The number of buyers; at least the number of orders in a batch, since a request can't read an item twice. */
const buyers = 10;
const storedItems = [
  { ...key('event', ''), ...attributesOf(30, 20) },
  { ...key('texts', ''), ...attributesOf(2, 100) },
  ...Array.from({ length: buyers }, (_, index) => ({ ...key('user', `${index}`), ...attributesOf(12, 25) })),
];
await table.send(
  new BatchWriteCommand({
    RequestItems: { [TableName]: storedItems.map((Item) => ({ PutRequest: { Item } })) },
  }),
);

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
  const Keys = [key('event', ''), key('user', '0')];
  await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
  const order = {
    ...key('order', id),
    ...dueNow(),
    ownerPk: `FLOOR#buyer#${id}`,
    ownerSk: id,
    eventPk: 'FLOOR#event',
    eventSk: id,
    state: 'PENDING',
    ...attributesOf(20, 15),
  };
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
  await update(toChange(key('order', id), { checkoutUrl: textOf(100) }));
}

async function confirm(id: string): Promise<void> {
  await get('order', id);
  await update(toChange(key('order', id), { state: 'COMPLETED', ...dueNow() }));
  await sqs.send(new SendMessageCommand({ QueueUrl: fulfilQueue.url, MessageBody: JSON.stringify({ id }) }));
}

function fulfil(): Promise<void> {
  return fulfilQueue.handleBatch(10, async (messages) => {
    const ids = messages.map(({ Body = '{}' }): string => JSON.parse(Body).id);
    const Keys = [
      key('event', ''),
      ...ids.flatMap((id, index) => [key('order', id), key('user', `${index}`)]),
    ];
    await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
    const notifications = ids.map((id) => ({
      PutRequest: { Item: { ...key('notification', id), ...attributesOf(7, 45) } },
    }));
    await table.send(new BatchWriteCommand({ RequestItems: { [TableName]: notifications } }));
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          ...ids.flatMap((id) => [
            { Update: toChange(key('order', id), { posted: textOf(20) }, endDue) },
            { Put: { TableName, Item: { ...key('mail', id), ...dueNow(), ...attributesOf(7, 30) } } },
          ]),
          {
            Put: { TableName, Item: { ...key('entry', randomUUID()), text: textOf(200 + 150 * ids.length) } },
          },
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
    await update(toChange(key('mail', id), { notBefore: textOf(24) }));
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
    await get('user', '0');
    await update(toAddition(key('attempts', id), 1));
    const Destination = { ToAddresses: [`${id}@example.com`] };
    await mailService.send(new SendEmailCommand({ Destination, Content: { Raw: { Data: mail } } }));
    await update(toChange(key('mail', id), { status: 'sent' }, endDue));
  });
}

/** Changes an item and returns it, as the service's updates do. */
function update(change: ReturnType<typeof toAddition | typeof toChange>) {
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

/** Removes an item from the index of due work. */
const endDue = 'REMOVE duePk, dueAt';

function toChange(Key: Record<string, string>, attributes: Record<string, string>, removal = '') {
  const names = Object.keys(attributes);
  return {
    TableName,
    Key,
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} ${removal}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
  };
}

process.on('message', async (load: FloorLoad) => {
  ordersPerBatch = load.ordersPerBatch;
  process.send?.(await runLoad(load, processOrder));
});
// The parent process has ended.
process.once('disconnect', () => process.exit());
