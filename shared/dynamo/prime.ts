import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type IndexName, table } from './keys.ts';
import { documentClient, tableName } from './read.ts';

/**
 * Requests without effects that prime the table's commands (see runtime/prime.ts). The build selects those that a
 * function has permission for: infra/build/build.ts.
 */

/** The prefix of the partitions that priming reads. No item has it. */
export const absentPrefix = 'ABSENT#';

/** Returns a key in a new partition for each request, so concurrent starts do not throttle a partition. */
const absentKey = () => ({ pk: `${absentPrefix}${randomUUID()}`, sk: '-' });
/**
 * Returns a key that the table refuses, since it is empty. A write whose condition fails would use a unit, and a new table
 * has 4,000 a second for all functions that start.
 */
const invalidKey = () => ({ ...absentKey(), sk: '' });

const putInput = () => ({ TableName: tableName(), Item: invalidKey() });
const deleteInput = () => ({ TableName: tableName(), Key: invalidKey() });
const updateInput = () => ({
  ...deleteInput(),
  UpdateExpression: 'SET #a = :a',
  ExpressionAttributeNames: { '#a': 'a' },
  ExpressionAttributeValues: { ':a': 0 },
});

export const primeGetItem = () =>
  documentClient().send(new GetCommand({ TableName: tableName(), Key: absentKey(), ConsistentRead: true }));

export const primeTransactGetItems = () =>
  documentClient().send(
    new TransactGetCommand({ TransactItems: [{ Get: { TableName: tableName(), Key: absentKey() } }] }),
  );

export const primeBatchGetItem = () =>
  documentClient().send(
    new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: [absentKey()], ConsistentRead: true } } }),
  );

/** @param indexName the index to query; by default the table */
export function primeQuery(indexName?: IndexName) {
  const { partitionKey } = table.indexes.find(({ name }) => name === indexName) ?? table;
  return documentClient().send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: indexName,
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': partitionKey },
      ExpressionAttributeValues: { ':partition': absentKey().pk },
      Limit: 1,
    }),
  );
}

export const primePutItem = () => documentClient().send(new PutCommand(putInput()));
export const primeUpdateItem = () => documentClient().send(new UpdateCommand(updateInput()));
export const primeDeleteItem = () => documentClient().send(new DeleteCommand(deleteInput()));

export const primeBatchWriteItem = () =>
  documentClient().send(
    new BatchWriteCommand({ RequestItems: { [tableName()]: [{ DeleteRequest: { Key: invalidKey() } }] } }),
  );

/** @param action a write that the function has permission for */
export function primeTransactWriteItems(action: 'PutItem' | 'UpdateItem' | 'DeleteItem') {
  const item = {
    PutItem: { Put: putInput() },
    UpdateItem: { Update: updateInput() },
    DeleteItem: { Delete: deleteInput() },
  };
  return documentClient().send(new TransactWriteCommand({ TransactItems: [item[action]] }));
}
