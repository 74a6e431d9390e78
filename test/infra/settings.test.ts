import { expect, it } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { requireValidStage } from '../../infra/stage-checks.ts';
import { stageDefaults } from '../../infra/stages.ts';
import { findConfigurationErrors } from '../../shared/runtime/settings.ts';

it('accepts the development defaults and the settings of every stage', () => {
  const addresses = {
    apiUrl: 'http://127.0.0.1:3000',
    sandboxUrl: 'http://127.0.0.1:3001',
    chainRpcUrl: 'http://127.0.0.1:8545',
  };
  expect(findConfigurationErrors(resolveConfiguration(addresses, {}))).toEqual([]);
  for (const { settings } of Object.values(stageDefaults))
    expect(findConfigurationErrors(settings)).toEqual([]);
});

it.each<Record<string, string>>([
  { HOLD_MINUTES: '' },
  { HOLD_MINUTES: '0.05' },
  {
    TICKET_CONTRACTS:
      '137:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed, 1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  },
  { CHAIN_TOKENS: '137:USDT=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed,' },
  { CHAIN_137_RPC_URLS: 'https://one.example/key, http://127.0.0.1:8545' },
  { MINTER_KMS_KEYS: 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-aaaa-bbbb-cccc-123456789012' },
  { JWT_ACCESS_SECRET: 'new,old' },
  { JWT_ACCESS_SECRET: ',new' },
  // Variables that are not settings.
  { PATH: 'anything', toString: 'odd' },
])('accepts %j', (values) => {
  expect(findConfigurationErrors(values)).toEqual([]);
});

it.each<[Record<string, string>, string]>([
  [{ HOLD_MINUTES: 'abc' }, 'HOLD_MINUTES must be a number of minutes above 0.'],
  [{ HOLD_MINUTES: '0' }, 'HOLD_MINUTES must be a number of minutes above 0.'],
  [{ HOLD_MINUTES: '-5' }, 'HOLD_MINUTES must be a number of minutes above 0.'],
  [{ GATEWAY_A_URL: 'nonsense' }, 'GATEWAY_A_URL must be an http or https address.'],
  [{ GATEWAY_B_URL: 'http://' }, 'GATEWAY_B_URL must be an http or https address.'],
  [{ GATEWAY_A_SIGNATURE_HEADER: 'x a' }, 'GATEWAY_A_SIGNATURE_HEADER must be the name of an HTTP header.'],
  [{ DEFAULT_GATEWAY: 'stripe' }, 'DEFAULT_GATEWAY must be one of gateway-a, gateway-b, gateway-c.'],
  [{ VERIFY_WITH_GATEWAY: 'yes' }, 'VERIFY_WITH_GATEWAY must be true or false.'],
  [{ TREASURY_ADDRESS: '0x12' }, 'TREASURY_ADDRESS must be a valid address.'],
  [{ TREASURY_ADDRESS: `0x${'0'.repeat(40)}` }, 'TREASURY_ADDRESS must be a valid address.'],
  [
    { CHAIN_137_RPC_URLS: 'https://one.example,two.example' },
    'CHAIN_137_RPC_URLS must be http or https addresses of nodes, separated by commas.',
  ],
  [
    { TICKET_CONTRACTS: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' },
    'TICKET_CONTRACTS must be contracts as <chain id>:<address>, separated by commas.',
  ],
  [
    { CHAIN_TOKENS: '137:GOLD=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' },
    'CHAIN_TOKENS must be tokens as <chain id>:<currency>=<address>, separated by commas.',
  ],
  [
    { ALLOWED_ORIGINS: '*' },
    'ALLOWED_ORIGINS must be origins such as https://example.com, without a path, separated by commas.',
  ],
  [{ STOCK_SHARD_SIZE: '0' }, 'STOCK_SHARD_SIZE must be a whole number above 0.'],
  [{ PAYOUTS_FROM: 'events' }, 'PAYOUTS_FROM must be sale or event.'],
  [{ RETRY_SECONDS: 'soon' }, 'RETRY_SECONDS must be a number of seconds.'],
  [{ MINT_BUMP_SECONDS: '1e' }, 'MINT_BUMP_SECONDS must be a number of seconds.'],
  [{ PUBLIC_URL: 'example.com' }, 'PUBLIC_URL must be an http or https address without a final slash.'],
  [
    { PUBLIC_URL: 'https://tickets.example/' },
    'PUBLIC_URL must be an http or https address without a final slash.',
  ],
  [
    { MINTER_PRIVATE_KEY: '0x12' },
    'MINTER_PRIVATE_KEY must be private keys of 0x and 64 hexadecimal digits, separated by commas.',
  ],
  [{ JWT_ACCESS_SECRET: ' , ' }, 'JWT_ACCESS_SECRET must be keys, separated by commas.'],
])('refuses %j: %s', (values, message) => {
  expect(findConfigurationErrors(values)).toEqual([message]);
});

it('refuses a stage with an invalid setting', () => {
  const stage = {
    ...stageDefaults.dev,
    settings: { ...stageDefaults.dev.settings, DEFAULT_GATEWAY: 'stripe' },
  };
  expect(() => requireValidStage(stage)).toThrow(
    'settings.DEFAULT_GATEWAY must be one of gateway-a, gateway-b, gateway-c.',
  );
});
