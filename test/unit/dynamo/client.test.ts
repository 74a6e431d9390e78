import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getItem, getItems } from '../../../shared/dynamo/read.ts';
import { put, remove, transact, update, write } from '../../../shared/dynamo/write.ts';

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
