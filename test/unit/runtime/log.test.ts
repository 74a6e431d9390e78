import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { incrementCounter, log, reportMinterBalance } from '../../../shared/runtime/telemetry.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  }
});
afterEach(() => vi.restoreAllMocks());

const parseEntry = () => JSON.parse(lines.join(''));

describe('the log', () => {
  it('writes one JSON line with level, message, time and ids', () => {
    log.info('Order completed', { requestId: 'r1', orderId: 'c1', reference: 'BOX-1', tokenId: '7' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(parseEntry()).toMatchObject({
      level: 'INFO',
      message: 'Order completed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'r1',
      orderId: 'c1',
      reference: 'BOX-1',
      tokenId: '7',
    });
  });

  it.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'password',
    'newPassword',
    'token',
    'accessToken',
    'refresh_token',
    'email',
    'buyerEmail',
    'secret',
    'clientSecret',
    'privateKey',
    'private_key',
    'apiKey',
    'accountNumber',
    'name',
  ])('redacts the field %s', (key) => {
    log.warn('Careless', { [key]: 'hush' });
    expect(parseEntry()).toMatchObject({ message: 'Careless', [key]: '[redacted]' });
    expect(lines.join('')).not.toContain('hush');
  });

  it('does not redact numbers', () => {
    log.info('Minted', { tokens: 3 });
    expect(parseEntry().tokens).toBe(3);
  });

  it.each([
    ['an e-mail', 'no user ada.lovelace+x@mail.example.org here', 'ada'],
    ['a bearer token', 'header was Bearer abc123.def', 'abc123'],
    ['a JSON web token', 'jwt eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl expired', 'c2lnbmF0dXJl'],
    ['a payment reference', 'GET /verify/BOX-ABC123-1790000000000-ABCD1234 failed', 'ABCD1234'],
    ['the key in an RPC address', 'requestUrl="https://rpc.example.org/v2/k3y?x=1"', 'k3y'],
    ['the password in an address', 'connect to https://me:k3y@rpc.example.org/', 'k3y'],
  ])("redacts %s in an error's message and stack", (_what, text, leak) => {
    log.error('Call failed', new Error(text));
    expect(lines.join('')).not.toContain(leak);
    expect(parseEntry().cause).toMatch(/^Error: /);
    expect(parseEntry().stack).toContain('log.test.ts');
  });

  it('does not redact transaction hashes', () => {
    const hash = `0x${'ab'.repeat(32)}`;
    log.info('Broadcast', { txHash: hash });
    expect(parseEntry().txHash).toBe(hash);
  });
});

describe('metrics', () => {
  it('are written in CloudWatch’s embedded metric format', () => {
    vi.stubEnv('METRICS_NAMESPACE', 'boxoffice-test');
    incrementCounter('OrdersCompleted');
    vi.unstubAllEnvs();
    expect(parseEntry()).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'boxoffice-test',
            Dimensions: [[]],
            Metrics: [{ Name: 'OrdersCompleted', Unit: 'Count' }],
          },
        ],
      },
      OrdersCompleted: 1,
    });
  });

  it('include the minting balance by chain, and by chain and signer', () => {
    reportMinterBalance(137, '0xabc', 2.5);
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries.map(({ _aws }) => _aws.CloudWatchMetrics[0].Dimensions)).toEqual([
      [['chain']],
      [['chain', 'signer']],
    ]);
    expect(entries).toMatchObject([
      { chain: '137', MinterBalance: 2.5 },
      { chain: '137', signer: '0xabc', MinterBalance: 2.5 },
    ]);
  });
});
