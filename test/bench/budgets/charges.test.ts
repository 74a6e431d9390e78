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
 * costs a unit per started KB of the item, by the larger of its sizes before and after, and twice that in a
 * transaction. An index entry costs a unit when it is added or removed and two when it moves, with or without a
 * transaction. A read costs a unit per started 4 KB, half when it is eventually consistent, and twice in a transaction.
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
const listAttributes = { ownerPk: S('owner'), ownerSk: S('1'), eventPk: S('event'), eventSk: S('1') };
const dueAttributes = { duePk: S('due'), dueAt: S('1') };
const fillingOf = (bytes: number) => ({ filling: S('x'.repeat(bytes)) });

async function unitsToPut(id: string, attributes: object = {}): Promise<number | undefined> {
  const Item = { ...keyOf(id), ...attributes };
  const answer = await client.send(new PutItemCommand({ TableName, Item, ReturnConsumedCapacity }));
  return answer.ConsumedCapacity?.CapacityUnits;
}

const toUpdate = (id: string, UpdateExpression: string, values?: Record<string, { S: string }>) => ({
  TableName,
  Key: keyOf(id),
  UpdateExpression,
  ExpressionAttributeValues: values,
});

async function unitsToUpdate(id: string, expression: string, values?: Record<string, { S: string }>) {
  const command = new UpdateItemCommand({ ...toUpdate(id, expression, values), ReturnConsumedCapacity });
  return (await client.send(command)).ConsumedCapacity?.CapacityUnits;
}

async function unitsToTransact(...TransactItems: object[]): Promise<number | undefined> {
  const answer = await client.send(new TransactWriteItemsCommand({ TransactItems, ReturnConsumedCapacity }));
  return answer.ConsumedCapacity?.[0]?.CapacityUnits;
}

describe('a write', () => {
  it('costs a unit per started KB', async () => {
    expect(await unitsToPut('small')).toBe(1);
    expect(await unitsToPut('large', fillingOf(1_500))).toBe(2);
  });

  it('costs in a batch what it costs alone', async () => {
    const items = [
      keyOf('one'),
      { ...keyOf('two'), ...fillingOf(1_500) },
      { ...keyOf('three'), ...dueAttributes },
    ];
    const RequestItems = { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) };
    const answer = await client.send(new BatchWriteItemCommand({ RequestItems, ReturnConsumedCapacity }));
    expect(answer.ConsumedCapacity?.[0]?.CapacityUnits).toBe(1 + 2 + 2);
  });

  it('is charged for the larger of the sizes before and after', async () => {
    await unitsToPut('shrinks', fillingOf(2_500));
    expect(await unitsToUpdate('shrinks', 'SET filling = :short', { ':short': S('') })).toBe(3);
  });

  it('costs a unit more for each index that contains the item', async () => {
    expect(await unitsToPut('listed', { ...listAttributes, ...dueAttributes })).toBe(4);
    expect(await unitsToUpdate('listed', 'SET note = :new', { ':new': S('new') })).toBe(1);
  });

  it('costs two units more when an index entry moves, and one more when it is removed', async () => {
    await unitsToPut('due', dueAttributes);
    expect(await unitsToUpdate('due', 'SET dueAt = :at', { ':at': S('2') })).toBe(3);
    expect(await unitsToUpdate('due', 'REMOVE duePk, dueAt')).toBe(2);
  });
});

describe('a transaction', () => {
  it('doubles the units of items, but not those of index entries', async () => {
    const Item = { ...keyOf('new'), ...listAttributes, ...dueAttributes };
    const inventory = toUpdate('inventory', 'SET note = :new', { ':new': S('new') });
    expect(await unitsToTransact({ Put: { TableName, Item } }, { Update: inventory })).toBe(2 + 3 + 2);
    expect(await unitsToTransact({ Update: toUpdate('new', 'SET dueAt = :at', { ':at': S('2') }) })).toBe(
      2 + 2,
    );
    expect(
      await unitsToTransact({ Put: { TableName, Item: { ...keyOf('big'), ...fillingOf(1_500) } } }),
    ).toBe(4);
  });
});

describe('a read', () => {
  it('costs a unit per started 4 KB, and half when it is eventually consistent', async () => {
    await unitsToPut('read', fillingOf(5_000));
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

  it('costs a unit for each item of a batch, even if the item does not exist', async () => {
    await unitsToPut('there');
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
