import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentials, region } from '../../../infra/local/services/aws.ts';
import { type Backend, startBackend } from '../../support/backend.ts';

/** Compares the local store's consumed units, which the budgets in this folder rely on, with DynamoDB's rules. */

const TableName = 'boxoffice';
const listed = { ownerPk: 'owner', ownerSk: '1', eventPk: 'event', eventSk: '1' };
const due = { duePk: 'due', dueAt: '1' };
const filling = (bytes: number) => ({ filling: 'x'.repeat(bytes) });
const keyOf = (id: string) => ({ pk: id, sk: 'ORDER' });

let backend: Backend;
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  backend = await startBackend();
  client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: backend.dynamodbUrl, region, credentials }),
  );
});
afterAll(async () => {
  client.destroy();
  await backend.stop();
});

/** Sends a command. @returns its units */
async function measure<Input extends object>(
  Command: new (input: Input) => unknown,
  input: Input,
): Promise<number | undefined> {
  const command = new Command({ ...input, ReturnConsumedCapacity: 'TOTAL' }) as PutCommand;
  const { ConsumedCapacity } = await client.send(command);
  return [ConsumedCapacity].flat()[0]?.CapacityUnits;
}

const put = (id: string, attributes: object = {}) =>
  measure(PutCommand, { TableName, Item: { ...keyOf(id), ...attributes } });
const change = (id: string, UpdateExpression: string, value?: string) => ({
  TableName,
  Key: keyOf(id),
  UpdateExpression,
  ...(value !== undefined && { ExpressionAttributeValues: { ':new': value } }),
});

describe('a write', () => {
  it('costs a unit per started KB, of the larger of the sizes before and after', async () => {
    expect(await put('small')).toBe(1);
    expect(await put('large', filling(2_500))).toBe(3);
    expect(await measure(UpdateCommand, change('large', 'SET filling = :new', ''))).toBe(3);
  });

  it('costs a unit more for each new or removed index entry, and two for one that moves', async () => {
    expect(await put('due', { ...listed, ...due })).toBe(4);
    expect(await measure(UpdateCommand, change('due', 'SET note = :new', 'new'))).toBe(1);
    expect(await measure(UpdateCommand, change('due', 'SET dueAt = :new', '2'))).toBe(3);
    expect(await measure(UpdateCommand, change('due', 'REMOVE duePk, dueAt'))).toBe(2);
  });

  it('costs in a batch what it costs alone', async () => {
    const items = [keyOf('one'), { ...keyOf('two'), ...filling(1_500) }, { ...keyOf('three'), ...due }];
    const RequestItems = { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) };
    expect(await measure(BatchWriteCommand, { RequestItems })).toBe(1 + 2 + 2);
  });

  it('costs twice as much in a transaction, but not its index entries', async () => {
    const Item = { ...keyOf('new'), ...listed, ...due };
    const TransactItems = [
      { Put: { TableName, Item } },
      { Update: { ...change('counter', 'SET note = :new', 'new') } },
      { Put: { TableName, Item: { ...keyOf('big'), ...filling(1_500) } } },
    ];
    expect(await measure(TransactWriteCommand, { TransactItems })).toBe(2 + 3 + 2 + 4);
    const move = { Update: { ...change('new', 'SET dueAt = :new', '2') } };
    expect(await measure(TransactWriteCommand, { TransactItems: [move] })).toBe(2 + 2);
  });
});

describe('a read', () => {
  it('costs a unit per started 4 KB, and half when it is eventually consistent', async () => {
    await put('read', filling(5_000));
    const read = { TableName, Key: keyOf('read') };
    expect(await measure(GetCommand, { ...read, ConsistentRead: true })).toBe(2);
    expect(await measure(GetCommand, read)).toBe(1);
  });

  it('costs a unit for each item of a batch, even if the item does not exist', async () => {
    await put('there');
    const Keys = [keyOf('there'), keyOf('missing')];
    const RequestItems = { [TableName]: { ConsistentRead: true, Keys } };
    expect(await measure(BatchGetCommand, { RequestItems })).toBe(2);
  });

  it('of an index costs half a unit when it finds nothing', async () => {
    const query = { IndexName: 'byDue', KeyConditionExpression: 'duePk = :none' };
    const input = { TableName, ...query, ExpressionAttributeValues: { ':none': 'none' } };
    expect(await measure(QueryCommand, input)).toBe(0.5);
  });
});
