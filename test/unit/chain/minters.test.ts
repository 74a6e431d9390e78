import { createHash, createHmac, createPublicKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import { getBytes, N, SigningKey, Transaction, toBeArray } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeTransaction, findMinter, getMinters } from '../../../shared/chain/transactions.ts';

/** Credentials whose signatures the stub accepts. */
const kmsCredentials = { accessKeyId: 'kms-test', secretAccessKey: 'kms-test-secret' };
const kmsRegion = 'eu-west-1';

interface KmsStub {
  url: string;
  /** The ARNs of its keys. */
  keys: string[];
  /** The executed operations. */
  operations: string[];
  /** Throttles the next requests. @param requests their number */
  throttle(requests: number): void;
  stop(): void;
}

/**
 * Starts a stub of KMS with secp256k1 keys and the operations GetPublicKey and Sign. It verifies the signature of each
 * request, and refuses parameters that KMS refuses for such a key. Like KMS, it returns signatures with high and low s.
 */
async function startKms(numberOfKeys: number): Promise<KmsStub> {
  const privateKeys = new Map(
    Array.from({ length: numberOfKeys }, (_, index) => [
      `arn:aws:kms:${kmsRegion}:111122223333:key/0000000${index}-aaaa-bbbb-cccc-123456789012`,
      new SigningKey(randomBytes(32)),
    ]),
  );
  const operations: string[] = [];
  let throttled = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    const answer = (status: number, content: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(content));
    if (!(await hasValidSignature(request.headers, body)))
      return answer(403, { __type: 'AccessDeniedException' });
    if (throttled > 0) {
      throttled--;
      return answer(400, { __type: 'ThrottlingException' });
    }
    const input = JSON.parse(body);
    const key = privateKeys.get(input.KeyId);
    if (!key) return answer(400, { __type: 'NotFoundException' });
    operations.push(operation);
    if (operation === 'GetPublicKey') {
      const PublicKey = toSpki(key).toString('base64');
      return answer(200, {
        KeyId: input.KeyId,
        KeySpec: 'ECC_SECG_P256K1',
        KeyUsage: 'SIGN_VERIFY',
        PublicKey,
      });
    }
    const hash = Buffer.from(input.Message ?? '', 'base64');
    const isValid =
      operation === 'Sign' &&
      input.MessageType === 'DIGEST' &&
      input.SigningAlgorithm === 'ECDSA_SHA_256' &&
      hash.length === 32;
    if (!isValid) return answer(400, { __type: 'ValidationException' });
    return answer(200, { KeyId: input.KeyId, Signature: sign(hash, key).toString('base64') });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: [...privateKeys.keys()],
    operations,
    throttle(requests) {
      throttled = requests;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Verifies a request's signature by signing the request again. */
async function hasValidSignature(headers: NodeJS.Dict<string | string[]>, body: string): Promise<boolean> {
  const { authorization = '', host = '' } = headers as Record<string, string>;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const signer = new SignatureV4({
    credentials: kmsCredentials,
    region: kmsRegion,
    service: 'kms',
    sha256: Sha256,
  });
  const [hostname = '', port] = host.split(':');
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol: 'http:',
      hostname,
      port: Number(port),
      path: '/',
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      body,
    },
    { signingDate: parseAmzDate(String(headers['x-amz-date'])) },
  );
  return signed.headers.authorization === authorization;
}

/** Node's SHA-256 with the interface that SignatureV4 requires. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

/** Parses a time such as 20260102T030405Z. */
function parseAmzDate(compact: string): Date {
  return new Date(compact.replace(/(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'));
}

/** Encodes a public key as KMS returns it. */
function toSpki({ publicKey }: SigningKey): Buffer {
  const point = Buffer.from(getBytes(publicKey));
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' }).export({
    type: 'spki',
    format: 'der',
  });
}

/** Signs with a high or a low s, and encodes the signature in DER. */
function sign(hash: Buffer, key: SigningKey): Buffer {
  const signature = key.sign(hash);
  const isHighS = (randomBytes(1)[0] ?? 0) % 2 === 1;
  const s = isHighS ? N - BigInt(signature.s) : BigInt(signature.s);
  const content = [BigInt(signature.r), s].map(toDerInteger);
  return Buffer.concat([Buffer.of(0x30, Buffer.concat(content).length), ...content]);
}

/** An integer has as few bytes as possible, and a zero byte before a first bit that would be a sign. */
function toDerInteger(value: bigint): Buffer {
  const bytes = toBeArray(value);
  const content = (bytes[0] ?? 0) > 127 ? [0, ...bytes] : [...bytes];
  return Buffer.of(0x02, content.length, ...content);
}

const keys = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
const draft = {
  chainId: 137,
  nonce: 7,
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0x1234',
  gasLimit: 100_000n,
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 2n,
};

afterEach(() => vi.unstubAllEnvs());

describe('a minter with a private key', () => {
  beforeEach(() => vi.stubEnv('MINTER_PRIVATE_KEY', keys.join(', ')));

  it('signs a transaction that can be decoded', async () => {
    const [minter] = await getMinters();
    const raw = (await minter?.sign(draft)) ?? '';
    expect(decodeTransaction(raw)).toMatchObject(draft);
    expect(decodeTransaction(raw).hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(Transaction.from(raw).from).toBe(minter?.address);
  });

  it('signs a replacement with other fees', async () => {
    const [minter] = await getMinters();
    const before = decodeTransaction((await minter?.sign(draft)) ?? '');
    const after = decodeTransaction((await minter?.sign({ ...before, maxFeePerGas: 40n })) ?? '');
    expect(after).toMatchObject({ ...draft, maxFeePerGas: 40n });
    expect(after.hash).not.toBe(before.hash);
  });

  it('is found among several by its address while its key is configured', async () => {
    const [first, second] = await getMinters();
    expect(first?.address).not.toBe(second?.address);
    expect((await findMinter(second?.address ?? ''))?.address).toBe(second?.address);
    vi.stubEnv('MINTER_PRIVATE_KEY', keys[0]);
    expect(await findMinter(second?.address ?? '')).toBeUndefined();
  });
});

describe('a minter with a key in KMS', () => {
  let kms: KmsStub;

  beforeAll(async () => {
    kms = await startKms(2);
  });
  afterAll(() => kms.stop());
  beforeEach(() => {
    vi.stubEnv('AWS_ENDPOINT_URL_KMS', kms.url);
    vi.stubEnv('AWS_REGION', kmsRegion);
    vi.stubEnv('AWS_ACCESS_KEY_ID', kmsCredentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', kmsCredentials.secretAccessKey);
    vi.stubEnv('MINTER_KMS_KEYS', kms.keys.join(', ,'));
  });

  it('signs transactions that recover to its address, with a low s, which Ethereum requires', async () => {
    const [minter] = await getMinters();
    // The stub returns high and low values at random: 40 signatures have both, except once in 10^12 runs.
    for (let nonce = 0; nonce < 40; nonce++) {
      const transaction = Transaction.from((await minter?.sign({ ...draft, nonce })) ?? '');
      expect(transaction.from).toBe(minter?.address);
      expect(BigInt(transaction.signature?.s ?? 0)).toBeLessThanOrEqual(2n ** 255n);
      expect(decodeTransaction(transaction.serialized)).toMatchObject({ ...draft, nonce });
    }
  });

  it('cannot be read with invalid credentials', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
    vi.resetModules();
    const minters = await import('../../../shared/chain/transactions.ts');
    await expect(minters.getMinters()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('does not read its public key again', async () => {
    vi.resetModules();
    const minters = await import('../../../shared/chain/transactions.ts');
    const before = kms.operations.length;
    const first = await minters.getMinters();
    expect(kms.operations.slice(before)).toEqual(['GetPublicKey', 'GetPublicKey']);
    expect(await minters.getMinters()).toEqual(first);
    expect(kms.operations.length).toBe(before + 2);
  });

  it('can be configured together with a private key, so that an account can be replaced', async () => {
    vi.stubEnv('MINTER_PRIVATE_KEY', keys[0]);
    const minters = await getMinters();
    expect(new Set(minters.map(({ address }) => address)).size).toBe(3);
    expect((await findMinter(minters[2]?.address ?? ''))?.address).toBe(minters[2]?.address);
  });

  it('signs after KMS throttled a request, and fails when every request is throttled', async () => {
    const [minter] = await getMinters();
    kms.throttle(1);
    expect(Transaction.from((await minter?.sign(draft)) ?? '').from).toBe(minter?.address);
    kms.throttle(3);
    await expect(minter?.sign(draft)).rejects.toMatchObject({ name: 'ThrottlingException' });
    kms.throttle(0);
  });
});
