import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultDeployment, readDeployment } from '../../infra/deployment.ts';
import { findStageErrors, requireValidStage } from '../../infra/stage-checks.ts';
import { applyValues, readStage, stageDefaults, stageNames } from '../../infra/stages.ts';

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
