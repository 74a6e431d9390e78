import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableUnavailable, unavailable } from '../../../shared/core/errors.ts';
import { recordWrites } from '../../../shared/dynamo/availability.ts';
import { getItem, getItems, queryPage, readSnapshot } from '../../../shared/dynamo/read.ts';
import { put, putAll, remove, transact, update, write } from '../../../shared/dynamo/write.ts';
import { runIdempotently } from '../../../shared/http/idempotency.ts';
import { toErrorResponse } from '../../../shared/http/middleware.ts';

/** The requests to the table, and its next responses. The last response is repeated. */
let requests: { operation: string; body: string }[] = [];
let responses: ((response: ServerResponse) => unknown)[] = [];

const respond = (status: number, body: object) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
const succeed = (body: object = {}) => respond(200, body);
const refuse = (code: string, body: object = {}) =>
  respond(400, { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: 'no', ...body });
const loseConnection = (response: ServerResponse) => response.destroy();
const conflict = refuse('TransactionCanceledException', {
  CancellationReasons: [{ Code: 'TransactionConflict' }],
});

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  requests.push({ operation, body: Buffer.concat(chunks).toString() });
  (responses.length > 1 ? responses.shift() : responses[0])?.(response);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
vi.stubEnv('AWS_REGION', 'eu-west-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
vi.stubEnv('TABLE_NAME', 'boxoffice');
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  requests = [];
  responses = [succeed()];
});

const key = { pk: 'ORDER#1', sk: 'ORDER' };
const stored = { pk: { S: 'ORDER#1' }, wei: { N: '123456789012345678901' }, minor: { N: '1250' } };

describe('items', () => {
  it('are read with unsafe integers as bigint and all other numbers as number', async () => {
    responses = [succeed({ Item: { ...stored, price: { N: '12.5' } } })];
    expect(await getItem(key)).toEqual({
      pk: 'ORDER#1',
      wei: 123456789012345678901n,
      minor: 1250,
      price: 12.5,
    });
  });

  it('are written without attributes that are undefined', async () => {
    await write(put({ ...key, wei: 123456789012345678901n, reason: undefined }));
    expect(JSON.parse(requests[0]?.body ?? '').Item).toEqual({
      pk: { S: 'ORDER#1' },
      sk: { S: 'ORDER' },
      wei: { N: '123456789012345678901' },
    });
  });

  it('that a failed condition returns are read with the same types of numbers', async () => {
    const refused = vi.fn(() => new Error('refused'));
    const change = update(
      key,
      { set: { a: 1 } },
      { when: '#a = :none', values: { none: 0 }, orThrow: refused },
    );
    const item = { pk: 'ORDER#1', wei: 123456789012345678901n, minor: 1250 };

    responses = [refuse('ConditionalCheckFailedException', { Item: stored })];
    await expect(write(change)).rejects.toThrow('refused');
    const reason = { Code: 'ConditionalCheckFailed', Item: stored };
    responses = [refuse('TransactionCanceledException', { CancellationReasons: [reason] })];
    await expect(transact([change])).rejects.toThrow('refused');
    expect(refused.mock.calls).toEqual([[item], [item]]);
  });

  it('that a batch leaves unprocessed are requested again', async () => {
    const batch = (items: object[], unprocessed: object[]) =>
      succeed({
        Responses: { boxoffice: items },
        UnprocessedKeys: unprocessed.length > 0 ? { boxoffice: { Keys: unprocessed } } : {},
      });
    const other = { pk: { S: 'ORDER#2' }, sk: { S: 'ORDER' } };
    responses = [batch([{ ...stored, sk: { S: 'ORDER' } }], [other]), batch([other], [])];
    const items = await getItems([key, { pk: 'ORDER#2', sk: 'ORDER' }]);
    expect(items.map((item) => item?.pk)).toEqual(['ORDER#1', 'ORDER#2']);
    expect(JSON.parse(requests[1]?.body ?? '').RequestItems.boxoffice.Keys).toEqual([other]);
  });
});

describe('a transaction', () => {
  it.each([
    ['fails', respond(500, {})],
    ['throttles', refuse('ThrottlingException')],
    ['loses the connection', loseConnection],
  ])('is sent again with the same token when the table %s', async (_what, failure) => {
    responses = [failure, failure, succeed()];
    await transact([put(key)]);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => JSON.parse(body).ClientRequestToken)).size).toBe(1);
    expect(JSON.parse(requests[0]?.body ?? '').ClientRequestToken).toMatch(/.{30}/);
  });

  it('is sent again with a new token after a conflict', async () => {
    responses = [conflict, succeed()];
    await transact([put(key)]);
    expect(new Set(requests.map(({ body }) => JSON.parse(body).ClientRequestToken)).size).toBe(2);
  });

  it('is not sent again when the table refuses it as invalid', async () => {
    responses = [refuse('ValidationException')];
    await expect(transact([put(key)])).rejects.toMatchObject({ name: 'ValidationException' });
    expect(requests).toHaveLength(1);
  });

  it('fails with the code busy when conflicts continue', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    responses = [conflict];
    await expect(transact([put(key)])).rejects.toMatchObject({ code: 'busy' });
    vi.restoreAllMocks();
  });
});

describe('a table that is not available', () => {
  beforeEach(() => {
    // No pauses before retries.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const reads: [string, () => Promise<unknown>][] = [
    ['GetItem', () => getItem(key)],
    ['BatchGetItem', () => getItems([key])],
    ['Query', () => queryPage({ partition: 'ORDER#1' }, { limit: 1 })],
    ['TransactGetItems', () => readSnapshot([key])],
  ];
  const writes: [string, () => Promise<unknown>][] = [
    ['PutItem', () => write(put(key))],
    ['UpdateItem', () => write(update(key, { set: { minor: 1 } }))],
    ['DeleteItem', () => write(remove(key))],
    ['BatchWriteItem', () => putAll([key])],
    ['TransactWriteItems', () => transact([put(key)])],
  ];
  const canceledByThrottling = refuse('TransactionCanceledException', {
    CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
  });
  const throttled = refuse('ProvisionedThroughputExceededException');
  const unprocessed = succeed({
    UnprocessedKeys: { boxoffice: { Keys: [{ pk: { S: 'ORDER#1' }, sk: { S: 'ORDER' } }] } },
    UnprocessedItems: { boxoffice: [{ PutRequest: { Item: stored } }] },
  });

  it.each([...reads, ...writes])(
    'throttles %s: the error is TableUnavailable, and nothing is written',
    async (operation, run) => {
      responses = [throttled];
      const record = { mayHaveWritten: false };
      await expect(recordWrites(record, run)).rejects.toBeInstanceOf(TableUnavailable);
      expect(record.mayHaveWritten).toBe(false);
      expect(new Set(requests.map((request) => request.operation))).toEqual(new Set([operation]));
    },
  );

  it.each(writes)(
    'loses the first answer to %s and throttles its retries: it may have written',
    async (_, run) => {
      responses = [loseConnection, throttled];
      const record = { mayHaveWritten: false };
      await expect(recordWrites(record, run)).rejects.toBeInstanceOf(TableUnavailable);
      expect(record.mayHaveWritten).toBe(true);
    },
  );

  it.each([
    ['fails', respond(500, { __type: 'InternalServerError' })],
    ['loses each connection', loseConnection],
  ])('%s: the error is TableUnavailable', async (_, response) => {
    responses = [response];
    await expect(getItem(key)).rejects.toBeInstanceOf(TableUnavailable);
  });

  it('leaves items of a batch unprocessed, or cancels a transaction by throttling: the error is TableUnavailable', async () => {
    responses = [unprocessed];
    await expect(getItems([key])).rejects.toBeInstanceOf(TableUnavailable);
    await expect(putAll([key])).rejects.toBeInstanceOf(TableUnavailable);
    responses = [canceledByThrottling];
    await expect(transact([put(key)])).rejects.toBeInstanceOf(TableUnavailable);
  });

  it.each<[string, () => Promise<object>, (typeof responses)[number], boolean]>([
    ['throttles its first write', () => transact([put(key)]).then(() => ({})), throttled, true],
    ['throttles a read', () => getItems([key]), throttled, true],
    ['may have executed its write', () => transact([put(key)]).then(() => ({})), loseConnection, false],
  ])(
    'that %s: the idempotency key of the call is released unless something may be written',
    async (_, run, response, isReleased) => {
      const call = runIdempotently({ userId: 'u', key: 'k', request: {}, seed: 's' }, () => {
        responses = [response, response, response, response, succeed()];
        return run();
      });
      await expect(call).rejects.toBeInstanceOf(TableUnavailable);
      const last = JSON.parse(requests.at(-1)?.body ?? '');
      expect(requests[0]?.operation).toBe('PutItem');
      expect(JSON.stringify(last).includes('"Delete"')).toBe(isReleased);
    },
  );

  it('is a 503 with Retry-After, as another dependency that is not available', () => {
    const answer = toErrorResponse(new TableUnavailable(new Error('throttled')));
    expect(answer).toEqual(toErrorResponse(unavailable()));
    expect(answer).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '1', 'x-error-code': 'unavailable' },
    });
  });
});

describe('a single write', () => {
  const writeIdOf = ({ Item, ExpressionAttributeValues: values }: ReturnType<typeof JSON.parse>) =>
    Item?.writeId ?? values[':writeId'];
  /** Responds that the condition failed. The item has the write id of the request with this index. */
  const refuseAfter = (index: number) => (response: ServerResponse) => {
    const writeId = writeIdOf(JSON.parse(requests[index]?.body ?? ''));
    refuse('ConditionalCheckFailedException', { Item: { ...stored, writeId } })(response);
  };
  const refused = () => new Error('refused');
  const whenNew = { when: 'attribute_not_exists(#pk)', orThrow: refused };
  const whenUnchanged = { when: '#minor = :expected', values: { expected: 0 }, orThrow: refused };

  it.each([
    ['put', () => put(key, whenNew), undefined],
    ['update', () => update(key, { set: { minor: 1250 } }, whenUnchanged), { minor: 1250 }],
    ['addition', () => update(key, { add: { minor: 1250 } }), { minor: 1250 }],
  ])('recognises its own %s when the first response was lost', async (_what, createWrite, expected) => {
    responses = [loseConnection, refuseAfter(0)];
    const result = await write(createWrite());
    if (expected) expect(result).toMatchObject(expected);
    expect(requests).toHaveLength(2);
  });

  it('is refused when another write has changed the item', async () => {
    responses = [refuseAfter(0)];
    await write(put(key, whenNew));
    responses = [loseConnection, refuseAfter(0)];
    await expect(write(put(key, whenNew))).rejects.toThrow('refused');
  });

  it('that deletes under a condition is a transaction with a token, since a deleted item has no write id', async () => {
    responses = [loseConnection, succeed()];
    await write(remove(key, whenUnchanged));
    expect(requests.map(({ operation }) => operation)).toEqual(['TransactWriteItems', 'TransactWriteItems']);
  });

  it('has no write id when it can be repeated without harm', async () => {
    await write(put(key));
    await write(update(key, { set: { minor: 1250 } }));
    for (const { body } of requests) expect(body).not.toContain('writeId');
  });
});
