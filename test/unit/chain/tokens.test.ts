import { afterEach, describe, expect, it } from 'vitest';
import { findTokenContract } from '../../../shared/chain/chains.ts';
import { checksumAddress } from '../../../shared/core/address.ts';
import { getPaymentTerms } from '../../../shared/orders/checkout/initialize-order.ts';

const names = ['CHAIN_TOKENS', 'TREASURY_ADDRESS', 'CHAIN_137_RPC_URLS', 'CHAIN_56_RPC_URLS'];
afterEach(() => {
  for (const name of names) delete process.env[name];
});

const treasury = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const configuredToken = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

describe('the tokens of a chain', () => {
  it.each([1, 10, 137, 8453, 42161, 80002, 11155111])(
    'on chain %i include USDC at a checksummed address',
    (chain) => {
      const address = findTokenContract(chain, 'USDC') ?? '';
      expect(checksumAddress(address)).toBe(address);
    },
  );

  it.each([1, 10, 137, 42161])('on chain %i include USDT at a checksummed address', (chain) => {
    const address = findTokenContract(chain, 'USDT') ?? '';
    expect(checksumAddress(address)).toBe(address);
  });

  it('come from CHAIN_TOKENS, or else from the built-in list', () => {
    process.env.CHAIN_TOKENS = `31337:USDC=${configuredToken}, 137:USDT=${configuredToken}`;
    expect(findTokenContract(31337, 'USDC')).toBe(configuredToken);
    expect(findTokenContract(137, 'USDT')).toBe(configuredToken);
    expect(findTokenContract(137, 'USDC')).toBe('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359');
    expect(findTokenContract(31337, 'USDT')).toBeUndefined();
  });
});

describe('a payment on a chain', () => {
  const configuration = { TREASURY_ADDRESS: treasury, CHAIN_137_RPC_URLS: 'http://127.0.0.1:1' };

  it('uses the native coin or a token', async () => {
    Object.assign(process.env, configuration);
    expect(await getPaymentTerms(137, 'POL')).toEqual({ chainId: 137, to: treasury, token: null });
    expect(await getPaymentTerms(137, 'USDT')).toMatchObject({ token: findTokenContract(137, 'USDT') });
  });

  it.each(['USD', 'ETH', 'JPY'] as const)('is refused in %s on Polygon', async (currency) => {
    Object.assign(process.env, configuration);
    await expect(getPaymentTerms(137, currency)).rejects.toMatchObject({ code: 'currency-not-supported' });
  });

  it('is refused in ether on a chain with an unknown native coin', async () => {
    Object.assign(process.env, configuration, { CHAIN_56_RPC_URLS: 'http://127.0.0.1:1' });
    await expect(getPaymentTerms(56, 'ETH')).rejects.toMatchObject({ code: 'currency-not-supported' });
  });

  it.each(['TREASURY_ADDRESS', 'CHAIN_137_RPC_URLS'])('is refused without %s', async (name) => {
    Object.assign(process.env, configuration, { [name]: '' });
    await expect(getPaymentTerms(137, 'POL')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'crypto-not-configured',
    });
  });
});
