import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getItem, getItems } from '../../../shared/dynamo/client.ts';
import { schemaVersion } from '../../../shared/dynamo/keys.ts';
import { put, remove, transact, update, write } from '../../../shared/dynamo/write.ts';

/** Requests that arrived, and what the table answers to each in turn; the last answer stays. */
let seen: { operation: string; body: string }[] = [];
let answers: ((response: ServerResponse) => unknown)[] = [];

const answer = (status: number, body: object) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
const succeed = (body: object = {}) => answer(200, body);
const refuse = (code: string, body: object = {}) =>
  answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: 'no', ...body });
const loseConnection = (response: ServerResponse) => response.destroy();
const conflict = refuse('TransactionCanceledException', {
  CancellationReasons: [{ Code: 'TransactionConflict' }],
});

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  seen.push({ operation, body: Buffer.concat(chunks).toString() });
  (answers.length > 1 ? answers.shift() : answers[0])?.(response);
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
  seen = [];
  answers = [succeed()];
});

const key = { pk: 'ORDER#1', sk: 'ORDER' };
const stored = { pk: { S: 'ORDER#1' }, wei: { N: '123456789012345678901' }, minor: { N: '1250' } };

describe('items', () => {
  it('have amounts beyond a double as bigint and all other numbers as number', async () => {
    answers = [succeed({ Item: { ...stored, price: { N: '12.5' } } })];
    expect(await getItem(key)).toEqual({
      pk: 'ORDER#1',
      wei: 123456789012345678901n,
      minor: 1250,
      price: 12.5,
    });
  });

  it('are written without attributes that are undefined', async () => {
    await write(put({ ...key, wei: 123456789012345678901n, reason: undefined }));
    expect(JSON.parse(seen[0]?.body ?? '').Item).toEqual({
      pk: { S: 'ORDER#1' },
      sk: { S: 'ORDER' },
      wei: { N: '123456789012345678901' },
      schemaVersion: { N: `${schemaVersion}` },
    });
  });

  it('that come with a failed condition are read the same way', async () => {
    const refused = vi.fn(() => new Error('refused'));
    const change = update(
      key,
      { set: { a: 1 } },
      { when: '#a = :none', values: { none: 0 }, orThrow: refused },
    );
    const item = { pk: 'ORDER#1', wei: 123456789012345678901n, minor: 1250 };

    answers = [refuse('ConditionalCheckFailedException', { Item: stored })];
    await expect(write(change)).rejects.toThrow('refused');
    const reason = { Code: 'ConditionalCheckFailed', Item: stored };
    answers = [refuse('TransactionCanceledException', { CancellationReasons: [reason] })];
    await expect(transact([change])).rejects.toThrow('refused');
    expect(refused.mock.calls).toEqual([[item], [item]]);
  });

  it('that a batch left are asked for again', async () => {
    const table = (items: object[], left: object[]) =>
      succeed({
        Responses: { boxoffice: items },
        UnprocessedKeys: left.length > 0 ? { boxoffice: { Keys: left } } : {},
      });
    const other = { pk: { S: 'ORDER#2' }, sk: { S: 'ORDER' } };
    answers = [table([{ ...stored, sk: { S: 'ORDER' } }], [other]), table([other], [])];
    const items = await getItems([key, { pk: 'ORDER#2', sk: 'ORDER' }]);
    expect(items.map((item) => item?.pk)).toEqual(['ORDER#1', 'ORDER#2']);
    expect(JSON.parse(seen[1]?.body ?? '').RequestItems.boxoffice.Keys).toEqual([other]);
  });
});

describe('a transaction', () => {
  it.each([
    ['fails', answer(500, {})],
    ['throttles', refuse('ThrottlingException')],
    ['loses the connection', loseConnection],
  ])('is sent again with the same token when the table %s', async (_what, failure) => {
    answers = [failure, failure, succeed()];
    await transact([put(key)]);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ body }) => JSON.parse(body).ClientRequestToken)).size).toBe(1);
    expect(JSON.parse(seen[0]?.body ?? '').ClientRequestToken).toMatch(/.{30}/);
  });

  it('is repeated as a new one when another got in between', async () => {
    answers = [conflict, succeed()];
    await transact([put(key)]);
    expect(new Set(seen.map(({ body }) => JSON.parse(body).ClientRequestToken)).size).toBe(2);
  });

  it('is not repeated when the table refuses it', async () => {
    answers = [refuse('ValidationException')];
    await expect(transact([put(key)])).rejects.toMatchObject({ name: 'ValidationException' });
    expect(seen).toHaveLength(1);
  });

  it('ends with 409 when others keep getting in between', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    answers = [conflict];
    await expect(transact([put(key)])).rejects.toMatchObject({ code: 'busy' });
    vi.restoreAllMocks();
  });
});

describe('a write by itself', () => {
  const idOf = ({ Item, ExpressionAttributeValues: values }: ReturnType<typeof JSON.parse>) =>
    Item?.writeId ?? values[':writeId'];
  /** Refuses the condition, with the item as the given request has left it. */
  const refuseAfter = (at: number) => (response: ServerResponse) => {
    const writeId = idOf(JSON.parse(seen[at]?.body ?? ''));
    refuse('ConditionalCheckFailedException', { Item: { ...stored, writeId } })(response);
  };
  const refused = () => new Error('refused');
  const isNew = { when: 'attribute_not_exists(#pk)', orThrow: refused };
  const isUnchanged = { when: '#minor = :expected', values: { expected: 0 }, orThrow: refused };

  it.each([
    ['put', () => put(key, isNew), undefined],
    ['update', () => update(key, { set: { minor: 1250 } }, isUnchanged), { minor: 1250 }],
    ['addition', () => update(key, { add: { minor: 1250 } }), { minor: 1250 }],
  ])('recognises its own %s when the first answer was lost', async (_what, change, after) => {
    answers = [loseConnection, refuseAfter(0)];
    const result = await write(change());
    if (after) expect(result).toMatchObject(after);
    expect(seen).toHaveLength(2);
  });

  it('is refused when another write was first', async () => {
    answers = [refuseAfter(0)];
    await write(put(key, isNew));
    answers = [loseConnection, refuseAfter(0)];
    await expect(write(put(key, isNew))).rejects.toThrow('refused');
  });

  it('deletes under a condition with a token, because nothing is left to recognise', async () => {
    answers = [loseConnection, succeed()];
    await write(remove(key, isUnchanged));
    expect(seen.map(({ operation }) => operation)).toEqual(['TransactWriteItems', 'TransactWriteItems']);
  });

  it('carries no id when it may be repeated', async () => {
    await write(put(key));
    await write(update(key, { set: { minor: 1250 } }));
    for (const { body } of seen) expect(body).not.toContain('writeId');
  });
});
