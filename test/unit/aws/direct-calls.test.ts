import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { directCalls, ServiceFailure } from '../../../shared/aws/direct-calls.ts';

/** What reached the service, and what it does about each call in turn; the last goes on for ever. */
type Act = (response: ServerResponse) => unknown;
let seen: { headers: IncomingMessage['headers']; path: string; body: string }[] = [];
let acts: Act[] = [];

const answer =
  (status: number, body: object): Act =>
  (response) =>
    response.writeHead(status).end(JSON.stringify(body));
const succeed = answer(200, { done: true });
const refuse = (code: string) => answer(400, { __type: `com.amazonaws.dynamodb#${code}`, message: 'no' });
const lose: Act = (response) => response.destroy();
const hang: Act = () => {};

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    seen.push({ headers: request.headers, path: request.url ?? '', body });
    (acts.length > 1 ? acts.shift() : acts[0])?.(response);
  });
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', sessionToken: 'a session' };
const client = new DynamoDBClient({ region: 'eu-west-1', credentials, endpoint: url.href });
const call = directCalls({
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  client,
  attempts: 3,
  limitMilliseconds: 150,
});
const input = { TableName: 'tickets', Key: { pk: { S: 'größer' } } };

beforeEach(() => {
  seen = [];
  acts = [succeed];
});

describe('a direct call', () => {
  it('says on the wire what the SDK says', async () => {
    const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
    await client.send(new GetItemCommand(input));
    expect(await call(url, 'GetItem', input)).toEqual({ done: true });
    const [theirs, ours] = seen;
    expect(ours?.path).toBe(theirs?.path);
    expect(JSON.parse(ours?.body ?? '')).toEqual(JSON.parse(theirs?.body ?? ''));
    for (const name of ['host', 'content-type', 'content-length', 'x-amz-target', 'x-amz-security-token'])
      expect(ours?.headers[name]).toBe(theirs?.headers[name]);
  });

  it('is signed over what arrives', async () => {
    await call(url, 'GetItem', input);
    const [{ headers, path, body } = { headers: {} as never, path: '', body: '' }] = seen;
    const [, names = '', signature] =
      /SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
    expect(names.split(';')).toEqual(
      expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']),
    );
    const signed = await new SignatureV4({
      service: 'dynamodb',
      region: 'eu-west-1',
      credentials,
      sha256: client.config.sha256,
    }).sign(
      {
        method: 'POST',
        protocol: 'http:',
        hostname: url.hostname,
        path,
        query: {},
        headers: Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])])),
        body,
      },
      { signingDate: dateOf(String(headers['x-amz-date'])) },
    );
    expect(signed.headers.authorization).toContain(`Signature=${signature}`);
  });

  it.each([
    ['fails', answer(500, {})],
    ['is throttled', refuse('ProvisionedThroughputExceededException')],
    ['loses the connection', lose],
    ['takes too long', hang],
  ])('is made again when the service %s', async (_, act) => {
    acts = [act, act, succeed];
    expect(await call(url, 'PutItem', input)).toEqual({ done: true });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });

  it('is given up after so many tries', async () => {
    acts = [answer(503, {})];
    await expect(call(url, 'PutItem', input)).rejects.toMatchObject({ name: 'ServiceFailure', status: 503 });
    expect(seen).toHaveLength(3);
    acts = [hang];
    await expect(call(url, 'PutItem', input)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('is not made again when the answer is no', async () => {
    acts = [refuse('ValidationException')];
    const failure = await call(url, 'PutItem', input).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceFailure);
    expect(failure).toMatchObject({ name: 'ValidationException', message: 'no', status: 400 });
    expect(seen).toHaveLength(1);
  });
});

/** `20261121T130209Z` */
function dateOf(compact: string): Date {
  return new Date(compact.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'));
}
