import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
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
/** Never true for an absent item. */
const existsCondition = 'attribute_exists(pk)';

const putInput = () => ({ TableName: tableName(), Item: absentKey(), ConditionExpression: existsCondition });
const deleteInput = () => ({
  TableName: tableName(),
  Key: absentKey(),
  ConditionExpression: existsCondition,
});
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

/** Deletes an absent item: batches support no conditions. */
export const primeBatchWriteItem = () =>
  documentClient().send(
    new BatchWriteCommand({ RequestItems: { [tableName()]: [{ DeleteRequest: { Key: absentKey() } }] } }),
  );
