import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allMinters, findMinter, readSigned } from '../../../shared/chain/transactions.ts';

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

beforeEach(() => vi.stubEnv('MINTER_PRIVATE_KEY', keys.join(', ')));
afterEach(() => vi.unstubAllEnvs());

describe('a minter', () => {
  it('signs a draft deterministically, and its transaction can be parsed', async () => {
    const [minter] = await allMinters();
    const raw = minter?.sign(draft) ?? '';
    expect(minter?.sign(draft)).toBe(raw);
    expect(readSigned(raw)).toMatchObject(draft);
    expect(readSigned(raw).hash).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('signs a replacement with other fees', async () => {
    const [minter] = await allMinters();
    const before = readSigned(minter?.sign(draft) ?? '');
    const after = readSigned(minter?.sign({ ...before, maxFeePerGas: 40n }) ?? '');
    expect(after).toMatchObject({ ...draft, maxFeePerGas: 40n });
    expect(after.hash).not.toBe(before.hash);
  });

  it('is found among several by its address while its key is configured', async () => {
    const [first, second] = await allMinters();
    expect(first?.address).not.toBe(second?.address);
    expect((await findMinter(second?.address ?? ''))?.address).toBe(second?.address);
    vi.stubEnv('MINTER_PRIVATE_KEY', keys[0]);
    expect(await findMinter(second?.address ?? '')).toBeUndefined();
  });
});
