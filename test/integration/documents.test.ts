import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { startBackend } from '../support/backend.ts';

const backend = await startBackend();
afterAll(() => backend.stop());

const { documents } = await import('../../shared/dynamo/documents.ts');
const { marshallOptions, unmarshallOptions } = await import('../../shared/dynamo/notation.ts');
/** What our client stands in for, with the same options. */
const sdk = DynamoDBDocumentClient.from(new DynamoDBClient(), {
  marshallOptions: { ...marshallOptions },
  unmarshallOptions: { ...unmarshallOptions },
});

const TableName = 'boxoffice';
const key = (pk: string) => ({ pk, sk: 'ITEM' });
const item = (pk: string) => ({
  ...key(pk),
  text: 'größer “als”',
  number: 12.5,
  beyondDoubles: 123_456_789_012_345_678_901_234_567n,
  negative: -3,
  flag: true,
  nothing: null,
  left: undefined,
  bytes: Buffer.from('\u0000 bytes, and ünïcode'),
  inside: [{ bytes: new Uint8Array([0, 127, 255]), B: 'not bytes', other: { B: { B: 1 } } }],
  list: [1, 'two', { three: [4n] }],
  map: { Key: 'not a key', Item: { Items: ['nor', 'items'] } },
});
const isNew = {
  ConditionExpression: 'attribute_not_exists(pk)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
};
const add = (pk: string) => ({
  TableName,
  Key: key(pk),
  UpdateExpression: 'SET #map.#new = :value ADD beyondDoubles :more',
  ExpressionAttributeNames: { '#map': 'map', '#new': 'new' },
  ExpressionAttributeValues: { ':value': { Key: [1, 2n] }, ':more': 1n },
  ReturnValues: 'ALL_NEW' as const,
});

/** The same story told by either client, each about an item of its own. */
const story = (pk: string) => [
  new PutCommand({ TableName, Item: item(pk), ...isNew }),
  new PutCommand({ TableName, Item: item(pk), ...isNew }),
  new GetCommand({ TableName, Key: key(pk), ConsistentRead: true }),
  new GetCommand({ TableName, Key: key('nobody') }),
  new UpdateCommand(add(pk)),
  new UpdateCommand({ ...add(pk), ConditionExpression: 'attribute_not_exists(pk)' }),
  new UpdateCommand({ ...add(pk), UpdateExpression: 'SET nonsense' }),
  new TransactWriteCommand({
    TransactItems: [
      { Put: { TableName, Item: item(`${pk}-2`) } },
      { Update: (({ ReturnValues, ...change }) => change)(add(pk)) },
      { ConditionCheck: { TableName, Key: key('nobody'), ConditionExpression: 'attribute_not_exists(pk)' } },
    ],
  }),
  new TransactWriteCommand({
    TransactItems: [
      { Delete: { TableName, Key: key(`${pk}-2`) } },
      { Put: { TableName, Item: item(pk), ...isNew } },
    ],
  }),
  new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [key(pk)], ConsistentRead: true } } }),
  new BatchWriteCommand({
    RequestItems: {
      [TableName]: [{ PutRequest: { Item: item(`${pk}-3`) } }, { DeleteRequest: { Key: key('nobody') } }],
    },
  }),
  new GetCommand({ TableName, Key: key(`${pk}-3`), ConsistentRead: true }),
  new TransactGetCommand({
    TransactItems: [{ Get: { TableName, Key: key(`${pk}-2`) } }, { Get: { TableName, Key: key('nobody') } }],
  }),
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    Limit: 1,
  }),
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ExclusiveStartKey: key(pk),
  }),
  new DeleteCommand({ TableName, Key: key(`${pk}-2`), ReturnValues: 'ALL_OLD' }),
  new DeleteCommand({ TableName: 'another', Key: key(pk) }),
];

/** Exceptions by whose class our code decides. */
const toldApart = [
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
];

// biome-ignore lint/suspicious/noExplicitAny: any command
type Command = any;

/** The answer or the error, but for what names the call itself. */
async function outcome(client: Pick<DynamoDBDocumentClient, 'send'>, command: Command, pk: string) {
  const told = await client.send(command).then(
    (answer: object) => ({ ...answer, $metadata: undefined }),
    (error: Error) => ({
      ...Object.fromEntries(
        ['name', 'message', 'Item', 'CancellationReasons'].map((name) => [name, error[name as never]]),
      ),
      kind: toldApart.find((kind) => error instanceof kind)?.name,
    }),
  );
  const text = JSON.stringify(told, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return JSON.parse(text.replaceAll(pk, 'the item'));
}

describe('what functions ask of the table', () => {
  const [theirs, ours] = [story('of the SDK'), story('of ours')];
  it.each(ours.map((command, at) => [at + 1, command.constructor.name, command, theirs[at]] as const))(
    'step %i, %s: is answered as through the SDK',
    async (_step, _name, command, same) => {
      const wanted = await outcome(sdk, same, 'of the SDK');
      expect(await outcome(documents, command, 'of ours')).toEqual(wanted);
    },
  );

  it('is, whatever functions never ask, left to the SDK', async () => {
    const scan = () => new ScanCommand({ TableName, Limit: 1 });
    expect((await documents.send(scan())).Items).toEqual((await sdk.send(scan())).Items);
  });
});
