import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTokenContract } from '../../../shared/chain/chains.ts';
import { checksumAddress } from '../../../shared/core/address.ts';
import { paymentTermsOf } from '../../../shared/orders/checkout/draft-order.ts';

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
  beforeEach(() => {
    process.env.TREASURY_ADDRESS = treasury;
  });

  it('uses the native coin or a token', () => {
    expect(paymentTermsOf(137, 'POL', true)).toEqual({ chainId: 137, to: treasury, token: null });
    expect(paymentTermsOf(137, 'USDT', true)).toMatchObject({ token: findTokenContract(137, 'USDT') });
  });

  it.each([
    [137, 'USD'],
    [137, 'ETH'],
    [137, 'JPY'],
    // The chain's native coin is unknown.
    [56, 'ETH'],
  ] as const)('is refused on chain %i in %s', (chainId, currency) => {
    expect(() => paymentTermsOf(chainId, currency, true)).toThrow(
      expect.objectContaining({ code: 'currency-not-supported' }),
    );
  });

  it.each([
    ['a wallet for payments', '', true],
    ['the endpoints of the chain', treasury, false],
  ])('is refused without %s', (_, address, isConnected) => {
    process.env.TREASURY_ADDRESS = address;
    const refusal = { kind: 'unavailable', code: 'crypto-not-configured' };
    expect(() => paymentTermsOf(137, 'POL', isConnected)).toThrow(expect.objectContaining(refusal));
  });
});
