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
import { documentClient, tableName } from './client.ts';
import { type IndexName, table } from './keys.ts';

/**
 * Requests without effects that prime the table's commands (see runtime/prime.ts). The build selects those that a
 * function has permission for: infra/build/entries.ts.
 */

/** The prefix of the partitions that priming reads. No item has it. */
export const absentPrefix = 'ABSENT#';

/** Returns a new partition for each request, so that concurrent starts do not throttle a partition. */
const absent = () => ({ pk: `${absentPrefix}${randomUUID()}`, sk: '-' });
/** Never holds for an absent item. */
const exists = 'attribute_exists(pk)';

const put = () => ({ TableName: tableName(), Item: absent(), ConditionExpression: exists });
const remove = () => ({ TableName: tableName(), Key: absent(), ConditionExpression: exists });
const update = () => ({
  ...remove(),
  UpdateExpression: 'SET #a = :a',
  ExpressionAttributeNames: { '#a': 'a' },
  ExpressionAttributeValues: { ':a': 0 },
});

export const primeGetItem = () =>
  documentClient().send(new GetCommand({ TableName: tableName(), Key: absent(), ConsistentRead: true }));

export const primeTransactGetItems = () =>
  documentClient().send(
    new TransactGetCommand({ TransactItems: [{ Get: { TableName: tableName(), Key: absent() } }] }),
  );

export const primeBatchGetItem = () =>
  documentClient().send(
    new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: [absent()], ConsistentRead: true } } }),
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
      ExpressionAttributeValues: { ':partition': absent().pk },
      Limit: 1,
    }),
  );
}

export const primePutItem = () => documentClient().send(new PutCommand(put()));
export const primeUpdateItem = () => documentClient().send(new UpdateCommand(update()));
export const primeDeleteItem = () => documentClient().send(new DeleteCommand(remove()));

/** Deletes an absent item, since batches support no conditions. */
export const primeBatchWriteItem = () =>
  documentClient().send(
    new BatchWriteCommand({ RequestItems: { [tableName()]: [{ DeleteRequest: { Key: absent() } }] } }),
  );

/** @param action a write that the function has permission for */
export function primeTransactWriteItems(action: 'PutItem' | 'UpdateItem' | 'DeleteItem') {
  const item = {
    PutItem: { Put: put() },
    UpdateItem: { Update: update() },
    DeleteItem: { Delete: remove() },
  };
  return documentClient().send(new TransactWriteCommand({ TransactItems: [item[action]] }));
}
