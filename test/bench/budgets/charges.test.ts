import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentials, region } from '../../../infra/local/parts/aws.ts';
import { type Backend, startBackend } from '../../support/backend.ts';

/**
 * Compares the local store's consumed units, which the budgets in this folder rely on, with DynamoDB's rules. A write
 * costs a unit per started KB of the item, before or after, whichever is larger, and twice that in a transaction. An
 * index entry costs a unit when it is added or removed and two when it moves, also in a transaction. A read costs a unit
 * per started 4 KB, half when it is eventually consistent, and twice in a transaction.
 */

const TableName = 'boxoffice';
const ReturnConsumedCapacity = 'TOTAL';
let backend: Backend;
let client: DynamoDBClient;

beforeAll(async () => {
  backend = await startBackend();
  client = new DynamoDBClient({ endpoint: backend.dynamodbUrl, region, credentials });
});
afterAll(async () => {
  client.destroy();
  await backend.stop();
});

const S = (text: string) => ({ S: text });
const keyOf = (id: string) => ({ pk: S(id), sk: S('ORDER') });
const listed = { ownerPk: S('owner'), ownerSk: S('1'), eventPk: S('event'), eventSk: S('1') };
const due = { duePk: S('due'), dueAt: S('1') };
const filling = (bytes: number) => ({ filling: S('x'.repeat(bytes)) });

async function put(id: string, attributes: object = {}): Promise<number | undefined> {
  const Item = { ...keyOf(id), ...attributes };
  const answer = await client.send(new PutItemCommand({ TableName, Item, ReturnConsumedCapacity }));
  return answer.ConsumedCapacity?.CapacityUnits;
}

const change = (id: string, UpdateExpression: string, values?: Record<string, { S: string }>) => ({
  TableName,
  Key: keyOf(id),
  UpdateExpression,
  ExpressionAttributeValues: values,
});

async function update(id: string, expression: string, values?: Record<string, { S: string }>) {
  const command = new UpdateItemCommand({ ...change(id, expression, values), ReturnConsumedCapacity });
  return (await client.send(command)).ConsumedCapacity?.CapacityUnits;
}

async function transact(...TransactItems: object[]): Promise<number | undefined> {
  const answer = await client.send(new TransactWriteItemsCommand({ TransactItems, ReturnConsumedCapacity }));
  return answer.ConsumedCapacity?.[0]?.CapacityUnits;
}

describe('a write', () => {
  it('costs a unit per started KB', async () => {
    expect(await put('small')).toBe(1);
    expect(await put('large', filling(1_500))).toBe(2);
  });

  it('costs in a batch what it costs alone', async () => {
    const items = [keyOf('one'), { ...keyOf('two'), ...filling(1_500) }, { ...keyOf('three'), ...due }];
    const RequestItems = { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) };
    const answer = await client.send(new BatchWriteItemCommand({ RequestItems, ReturnConsumedCapacity }));
    expect(answer.ConsumedCapacity?.[0]?.CapacityUnits).toBe(1 + 2 + 2);
  });

  it('counts the larger of before and after', async () => {
    await put('shrinks', filling(2_500));
    expect(await update('shrinks', 'SET filling = :short', { ':short': S('') })).toBe(3);
  });

  it('costs a unit more for each index that lists the item', async () => {
    expect(await put('listed', { ...listed, ...due })).toBe(4);
    expect(await update('listed', 'SET note = :new', { ':new': S('new') })).toBe(1);
  });

  it('costs two for an entry that moves, and one for an entry that is removed', async () => {
    await put('due', due);
    expect(await update('due', 'SET dueAt = :at', { ':at': S('2') })).toBe(3);
    expect(await update('due', 'REMOVE duePk, dueAt')).toBe(2);
  });
});

describe('a transaction', () => {
  it('doubles what items cost, not what index entries cost', async () => {
    const Item = { ...keyOf('new'), ...listed, ...due };
    const stock = change('stock', 'SET note = :new', { ':new': S('new') });
    expect(await transact({ Put: { TableName, Item } }, { Update: stock })).toBe(2 + 3 + 2);
    expect(await transact({ Update: change('new', 'SET dueAt = :at', { ':at': S('2') }) })).toBe(2 + 2);
    expect(await transact({ Put: { TableName, Item: { ...keyOf('big'), ...filling(1_500) } } })).toBe(4);
  });
});

describe('a read', () => {
  it('costs a unit per started 4 KB, and half when it is eventually consistent', async () => {
    await put('read', filling(5_000));
    const get = async (ConsistentRead: boolean) => {
      const command = new GetItemCommand({
        TableName,
        Key: keyOf('read'),
        ConsistentRead,
        ReturnConsumedCapacity,
      });
      return (await client.send(command)).ConsumedCapacity?.CapacityUnits;
    };
    expect(await get(true)).toBe(2);
    expect(await get(false)).toBe(1);
  });

  it('costs a unit for each item of a batch, also for one that does not exist', async () => {
    await put('there');
    const RequestItems = { [TableName]: { ConsistentRead: true, Keys: [keyOf('there'), keyOf('missing')] } };
    const answer = await client.send(new BatchGetItemCommand({ RequestItems, ReturnConsumedCapacity }));
    expect(answer.ConsumedCapacity?.[0]?.CapacityUnits).toBe(2);
  });

  it('costs twice as much in a transaction', async () => {
    const TransactItems = [{ Get: { TableName, Key: keyOf('missing') } }];
    const answer = await client.send(new TransactGetItemsCommand({ TransactItems, ReturnConsumedCapacity }));
    expect(answer.ConsumedCapacity?.[0]?.CapacityUnits).toBe(2);
  });

  it('of an index costs half a unit when it finds nothing', async () => {
    const command = new QueryCommand({
      TableName,
      IndexName: 'byDue',
      KeyConditionExpression: 'duePk = :none',
      ExpressionAttributeValues: { ':none': S('none') },
      ReturnConsumedCapacity,
    });
    expect((await client.send(command)).ConsumedCapacity?.CapacityUnits).toBe(0.5);
  });
});
