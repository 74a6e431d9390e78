import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listPaymentMethods } from '../../../shared/payments/payment-methods.ts';

const polygon = 137;
const treasury = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

beforeEach(() => {
  const settings = {
    GATEWAY_A_URL: 'https://a.example',
    GATEWAY_A_NAME: 'Card',
    GATEWAY_B_URL: 'https://b.example',
    GATEWAY_B_NAME: 'Bank transfer',
    GATEWAY_C_URL: 'https://c.example',
    GATEWAY_C_NAME: '',
    TREASURY_ADDRESS: treasury,
    PAYMENT_CHAINS: '137, 8453',
    CHAIN_TOKENS: '',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(() => void vi.unstubAllEnvs());

const listNames = (...parameters: Parameters<typeof listPaymentMethods>) =>
  listPaymentMethods(...parameters).map(({ name }) => name);

it('lists the gateways that accept the currency', () => {
  expect(listPaymentMethods({ currency: 'EUR', chainId: polygon })).toEqual([
    { paymentMethod: 'FIAT', gateway: 'gateway-b', name: 'Bank transfer' },
    // GATEWAY_C_NAME is empty.
    { paymentMethod: 'FIAT', gateway: 'gateway-c', name: 'Online payment C' },
  ]);
  expect(listNames({ currency: 'NGN', chainId: polygon })).toEqual([
    'Card',
    'Bank transfer',
    'Online payment C',
  ]);
});

it('gives gateways without a configured name different names', () => {
  for (const name of ['GATEWAY_A_NAME', 'GATEWAY_B_NAME']) vi.stubEnv(name, '');
  expect(listNames({ currency: 'NGN', chainId: polygon })).toEqual([
    'Online payment A',
    'Online payment B',
    'Online payment C',
  ]);
});

it('omits a gateway that is not configured', () => {
  vi.stubEnv('GATEWAY_B_URL', '');
  expect(listNames({ currency: 'NGN', chainId: polygon })).toEqual(['Card', 'Online payment C']);
});

it('omits a gateway that does not accept the amount', () => {
  // gateway-c accepts KWD, which has three decimals, only in steps of 0.01.
  expect(listNames({ currency: 'KWD', chainId: polygon }, 1_025n)).toEqual([]);
  expect(listNames({ currency: 'KWD', chainId: polygon }, 1_030n)).toEqual(['Online payment C']);
});

it('lists no method for the amount 0', () => {
  expect(listNames({ currency: 'NGN', chainId: polygon }, 0n)).toEqual([]);
});

it('lists the event’s chain, and no gateway, for its native coin and its tokens', () => {
  expect(listPaymentMethods({ currency: 'POL', chainId: polygon })).toEqual([
    { paymentMethod: 'CRYPTO', gateway: null, name: 'POL on Polygon' },
  ]);
  expect(listNames({ currency: 'USDC', chainId: polygon })).toEqual(['USDC on Polygon']);
  expect(listNames({ currency: 'ETH', chainId: 8453 })).toEqual(['ETH on Base']);
});

it('omits a chain that lacks the currency or is not in PAYMENT_CHAINS, and every chain without TREASURY_ADDRESS', () => {
  expect(listNames({ currency: 'ETH', chainId: polygon })).toEqual([]);
  expect(listNames({ currency: 'USDT', chainId: 8453 })).toEqual([]);
  expect(listNames({ currency: 'ETH', chainId: 1 })).toEqual([]);
  vi.stubEnv('TREASURY_ADDRESS', '');
  expect(listNames({ currency: 'POL', chainId: polygon })).toEqual([]);
});
