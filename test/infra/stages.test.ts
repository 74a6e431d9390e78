import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultDeployment, readDeployment } from '../../infra/deployment.ts';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { findStageErrors, requireValidStage } from '../../infra/stage-checks.ts';
import { applyValues, readStage, stageDefaults, stageNames } from '../../infra/stages.ts';
import { findConfigurationErrors } from '../../shared/runtime/settings.ts';

const readFixture = (name: 'staging' | 'production') =>
  readStage(name, path.join(import.meta.dirname, 'stack', `${name}.json`));
const production = readFixture('production');

describe('a stage', () => {
  it('is complete with the values of the fixtures', () => {
    expect(findStageErrors(readFixture('staging'))).toEqual([]);
    expect(findStageErrors(production)).toEqual([]);
    expect(findStageErrors(stageDefaults.dev)).toEqual([]);
  });

  it.each(['staging', 'production'] as const)(
    'named %s is refused without a file, and the error names each missing value',
    (name) => {
      const attempt = () => requireValidStage(stageDefaults[name]);
      for (const value of [
        'allowedOrigins',
        'settings.PUBLIC_URL',
        'domain',
        'settings.GATEWAY_A_URL',
        'alarmEmail',
      ])
        expect(attempt).toThrow(new RegExp(`^  ${value.replace('.', '\\.')} `, 'm'));
      expect(attempt).toThrow(`infra/stages/${name}.json`);
    },
  );

  it.each([
    ['allowedOrigins', { allowedOrigins: ['https://boxoffice.example'] }],
    [
      'domain.name',
      { domain: { name: 'api.example.com', certificateArn: production.domain?.certificateArn } },
    ],
    ['alarmEmail', { alarmEmail: 'oncall@example.org' }],
    ['ticketEmail', { ticketEmail: 'team@example.org' }],
    ['settings.PUBLIC_URL', { settings: { PUBLIC_URL: 'https://tickets.your-domain.com' } }],
    ['settings.MAIL_FROM', { settings: { MAIL_FROM: 'Tickets <tickets@mail.your-domain.com>' } }],
    ['settings.GATEWAY_A_URL', { settings: { GATEWAY_A_URL: 'https://pay.example' } }],
  ])('is refused with a placeholder in %s', (name, values) => {
    const { name: _name, ...productionValues } = production;
    const errors = findStageErrors(applyValues('production', { ...productionValues, ...values }));
    expect(errors.join('\n')).toContain(`${name} is a placeholder`);
  });

  it.each([
    ['an origin of another site', { allowedOrigins: ['https://tickets.elsewhere.test'] }, 'allowedOrigins'],
    ['a PUBLIC_URL of another site', { settings: { PUBLIC_URL: 'https://elsewhere.test' } }, 'PUBLIC_URL'],
    // Anybody can register a name under a public suffix, so two such names are two sites.
    [
      'an origin under the same public suffix',
      {
        allowedOrigins: ['https://one.github.io'],
        domain: { name: 'two.github.io', certificateArn: production.domain?.certificateArn },
      },
      'allowedOrigins is another site',
    ],
    [
      'a CloudFront domain of another site',
      {
        front: { name: 'elsewhere.test', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/f' },
      },
      'front.name',
    ],
    [
      'a CloudFront certificate outside us-east-1',
      { front: { name: 'tickets.boxoffice.test', certificateArn: production.domain?.certificateArn } },
      'front.certificateArn is not in us-east-1',
    ],
    ['an API certificate of another region', { region: 'eu-central-1' }, 'domain.certificateArn'],
  ])('is refused with %s', (_, values, reason) => {
    const { name: _name, ...productionValues } = production;
    expect(
      findStageErrors(applyValues('production', { ...productionValues, ...values })).join('\n'),
    ).toContain(reason);
  });

  it.each([
    ['an unknown name', { alarmMail: 'oncall@boxoffice.test' }, 'alarmMail'],
    [
      'an origin with a path',
      { allowedOrigins: ['https://boxoffice.test/shop'] },
      'allowedOrigins.0: must be an origin',
    ],
    ['a wildcard origin', { allowedOrigins: ['*'] }, 'allowedOrigins.0: must be an origin'],
    ['an unknown setting', { settings: { GATEWAY_Z_URL: '' } }, 'settings'],
    ['weaker hashes of passwords', { settings: { PASSWORD_HASH_ROUNDS: '4' } }, 'settings'],
    ['webhooks to its own network', { settings: { WEBHOOKS_TO_LOOPBACK: 'true' } }, 'settings'],
    [
      'warm throughput below the minimum',
      { warmThroughput: { table: { reads: 1, writes: 1 } } },
      'warmThroughput',
    ],
    [
      'a function that does not exist',
      { provisionedConcurrency: { entries: ['no/such'], executions: 1 } },
      'provisionedConcurrency.entries.0',
    ],
  ])('is refused with %s', (_, values, reason) => {
    expect(() => applyValues('dev', values)).toThrow(reason);
  });

  it('is read from its file, whose values override the defaults', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'boxoffice-stage-')), 'dev.json');
    writeFileSync(file, JSON.stringify({ settings: { HOLD_MINUTES: '5' } }));
    const stage = readStage('dev', file);
    expect(stage.settings).toEqual({ ...stageDefaults.dev.settings, HOLD_MINUTES: '5' });
    expect(stage.chains).toEqual(stageDefaults.dev.chains);
    expect(() => readStage('dev', `${file}.missing`)).toThrow('There is no file');
  });

  it('has an error with the name of a file that is not JSON', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'boxoffice-stage-')), 'dev.json');
    writeFileSync(file, '{ "settings": }');
    expect(() => readStage('dev', file)).toThrow(`The file ${file} is not JSON`);
  });

  it('has defaults that the schema accepts', () => {
    for (const name of stageNames) {
      const { name: _, ...values } = stageDefaults[name];
      expect(applyValues(name, values)).toEqual(stageDefaults[name]);
    }
  });
});

describe('a deployment', () => {
  const readContext = (context: Record<string, string>) =>
    readDeployment({ tryGetContext: (name: string) => context[name] });

  it('has the defaults unless the command line sets context values', () => {
    expect(readContext({})).toEqual(defaultDeployment);
    expect(readContext({ first: 'true', shift: 'all', paused: 'true' })).toEqual({
      isFirst: true,
      shiftsTrafficAtOnce: true,
      isPaused: true,
    });
  });

  it('refuses an unknown context value', () => {
    expect(() => readContext({ shift: 'al' })).toThrow('-c shift=al is not valid');
  });
});

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
