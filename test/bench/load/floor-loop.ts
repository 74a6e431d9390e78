import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { runLoad } from './run-load.ts';

/**
 * The baseline for the service's throughput: a bare loop that makes an order's requests to table, queue and gateway through
 * the SDK's clients, as many as test/bench/budgets counts. It has no HTTP server, validation, signatures or logs.
 */

const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const queue = new SQSClient();
const TableName = process.env.TABLE_NAME ?? '';
/** A separate queue, from which no worker receives. */
const { QueueUrl } = await queue.send(new CreateQueueCommand({ QueueName: 'floor' }));

/** Returns a text as long as the service's items have in its place. @param bytes the length */
const textOf = (bytes: number) => 'x'.repeat(bytes);
const key = (kind: string, id: string) => ({ pk: `FLOOR#${kind}#${id}`, sk: kind });
/** The orders in one batch of messages. */
const batchSize = 10;

let unfulfilled = 0;

async function processOrder(): Promise<boolean> {
  const id = randomUUID();
  await initialize(id);
  await confirm(id);
  if (++unfulfilled % batchSize === 0) await fulfil();
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
  await queue.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ id }) }));
}

async function fulfil(): Promise<void> {
  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: batchSize });
  const { Messages = [] } = await queue.send(receive);
  const ids = Messages.map(({ Body = '{}' }): string => JSON.parse(Body).id);
  if (ids.length === 0) return;
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
  const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
  await queue.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
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
