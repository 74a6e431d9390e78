import { Transaction } from 'ethers/transaction';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findMinter, getMinters } from '../../../shared/chain/minters.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import { type KmsStub, kmsCredentials, kmsRegion, startKms } from './kms.ts';

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
    const minters = await import('../../../shared/chain/minters.ts');
    await expect(minters.getMinters()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('does not read its public key again', async () => {
    vi.resetModules();
    const minters = await import('../../../shared/chain/minters.ts');
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
