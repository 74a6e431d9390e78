import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
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
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { directCalls, ServiceFailure } from '../aws/direct-calls.ts';
import { marshallOptions, noted, plain, unmarshallOptions, withBytes } from './notation.ts';

const limits = { attempts: 4, limitMilliseconds: 3_000 };

const client = new DynamoDBClient({
  maxAttempts: limits.attempts,
  requestHandler: { requestTimeout: limits.limitMilliseconds, throwOnRequestTimeout: true },
});

const sdk = DynamoDBDocumentClient.from(client, {
  // Copies, since the client adds options of its own to what it is given.
  marshallOptions: { ...marshallOptions },
  unmarshallOptions: { ...unmarshallOptions },
});

/** What functions do, and DynamoDB's names for it. */
const direct = new Map<unknown, string>([
  [GetCommand, 'GetItem'],
  [PutCommand, 'PutItem'],
  [UpdateCommand, 'UpdateItem'],
  [DeleteCommand, 'DeleteItem'],
  [BatchGetCommand, 'BatchGetItem'],
  [BatchWriteCommand, 'BatchWriteItem'],
  [QueryCommand, 'Query'],
  [TransactGetCommand, 'TransactGetItems'],
  [TransactWriteCommand, 'TransactWriteItems'],
]);

const call = directCalls({ name: 'dynamodb', target: 'DynamoDB_20120810', client, ...limits });

/**
 * The SDK's document client, but what functions do goes to DynamoDB directly (see directCalls). Either way a call
 * is repeated, with jitter, when it is throttled, fails or takes longer than 3 s, four times in all.
 */
export const documents = {
  send: (command: { input: object; constructor: unknown }) => {
    const operation = direct.get(command.constructor);
    return operation ? sendDirectly(operation, command.input) : sdk.send(command as never);
  },
} as Pick<DynamoDBDocumentClient, 'send'>;

async function sendDirectly(operation: string, input: object) {
  const token = operation === 'TransactWriteItems' && { ClientRequestToken: randomUUID() };
  try {
    return plain(await call(await endpoint(), operation, { ...token, ...noted(input) }));
  } catch (error) {
    throw error instanceof ServiceFailure ? asException(error) : error;
  }
}

let known: Promise<URL> | undefined;

/** Where the SDK would send to. */
function endpoint(): Promise<URL> {
  const { config } = client;
  known ??= process.env.AWS_ENDPOINT_URL_DYNAMODB
    ? Promise.resolve(new URL(process.env.AWS_ENDPOINT_URL_DYNAMODB))
    : config.region().then((Region) => config.endpointProvider({ Region }).url);
  return known;
}

/** The SDK's own exceptions, as far as anybody tells them apart. */
function asException({ name, message, status, body }: ServiceFailure): Error {
  const common = { ...withBytes(body), message, $metadata: { httpStatusCode: status } };
  switch (name) {
    case 'ConditionalCheckFailedException':
      return new ConditionalCheckFailedException(common);
    case 'TransactionCanceledException':
      return new TransactionCanceledException(common);
    case 'TransactionConflictException':
      return new TransactionConflictException(common);
    default:
      return new DynamoDBServiceException({ ...common, name, $fault: status < 500 ? 'client' : 'server' });
  }
}
