import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listPaymentMethods } from '../../../shared/payments/payment-methods.ts';

const polygon = 137;
const usdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

beforeEach(() => {
  const settings = {
    GATEWAY_A_URL: 'https://a.example',
    GATEWAY_A_NAME: 'Card',
    GATEWAY_B_URL: 'https://b.example',
    GATEWAY_B_NAME: 'Bank transfer',
    GATEWAY_C_URL: 'https://c.example',
    GATEWAY_C_NAME: '',
    TREASURY_ADDRESS: usdc,
    PAYMENT_CHAINS: '137, 8453',
    CHAIN_TOKENS: '',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(() => void vi.unstubAllEnvs());

const names = (...sale: Parameters<typeof listPaymentMethods>) =>
  listPaymentMethods(...sale).map(({ name }) => name);

it('lists the gateways that accept the currency, as an order names them', () => {
  expect(listPaymentMethods({ currency: 'EUR', chainId: polygon })).toEqual([
    { paymentMethod: 'FIAT', gateway: 'gateway-b', name: 'Bank transfer' },
    // Without a name of its own.
    { paymentMethod: 'FIAT', gateway: 'gateway-c', name: 'Online payment C' },
  ]);
  expect(names({ currency: 'NGN', chainId: polygon })).toEqual(['Card', 'Bank transfer', 'Online payment C']);
});

it('tells gateways without a name apart', () => {
  for (const name of ['GATEWAY_A_NAME', 'GATEWAY_B_NAME']) vi.stubEnv(name, '');
  expect(names({ currency: 'NGN', chainId: polygon })).toEqual([
    'Online payment A',
    'Online payment B',
    'Online payment C',
  ]);
});

it('leaves a gateway out that is not configured', () => {
  vi.stubEnv('GATEWAY_B_URL', '');
  expect(names({ currency: 'NGN', chainId: polygon })).toEqual(['Card', 'Online payment C']);
});

it('leaves a gateway out that does not accept the amount', () => {
  // Its amounts of KWD are whole hundredths, although KWD has thousandths.
  expect(names({ currency: 'KWD', chainId: polygon }, 1_025n)).toEqual([]);
  expect(names({ currency: 'KWD', chainId: polygon }, 1_030n)).toEqual(['Online payment C']);
});

it('lists none when nothing is to pay', () => {
  expect(names({ currency: 'NGN', chainId: polygon }, 0n)).toEqual([]);
});

it('lists the event’s chain for its coin and its tokens, and no gateway', () => {
  expect(listPaymentMethods({ currency: 'POL', chainId: polygon })).toEqual([
    { paymentMethod: 'CRYPTO', gateway: null, name: 'POL on Polygon' },
  ]);
  expect(names({ currency: 'USDC', chainId: polygon })).toEqual(['USDC on Polygon']);
  expect(names({ currency: 'ETH', chainId: 8453 })).toEqual(['ETH on Base']);
});

it('leaves out a chain without the coin, without endpoints, or without a wallet to pay to', () => {
  expect(names({ currency: 'ETH', chainId: polygon })).toEqual([]);
  expect(names({ currency: 'USDT', chainId: 8453 })).toEqual([]);
  expect(names({ currency: 'ETH', chainId: 1 })).toEqual([]);
  vi.stubEnv('TREASURY_ADDRESS', '');
  expect(names({ currency: 'POL', chainId: polygon })).toEqual([]);
});
