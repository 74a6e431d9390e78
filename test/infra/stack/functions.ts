import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { parseStageName } from '../../../infra/stages.ts';
import { dev, getFunction, production, render, staging } from './synthesized.ts';

const variablesOf = (entry: string) => getFunction(production, entry).properties.Environment.Variables;

describe('a row of infra/functions.ts', () => {
  it.each(functions)('$entry is a function on arm64 with its own log group', (row) => {
    const { properties } = getFunction(production, row.entry);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Timeout: row.timeoutSeconds,
      MemorySize: row.memoryMegabytes,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
    });
    // Lambda limits names to 64 characters, and API Gateway limits responses to 30 s.
    expect(properties.FunctionName.length).toBeLessThanOrEqual(64);
    if ('route' in row.trigger) expect(properties.Timeout).toBeLessThan(30);
    const log = production.resources.find(
      ({ id }) => `\${${id}}` === render(properties.LoggingConfig.LogGroup),
    );
    expect(log?.properties.RetentionInDays).toBe(90);
  });

  it('has only the environment variables that it declares', () => {
    expect(variablesOf('health/health')).toEqual({
      METRICS_NAMESPACE: 'boxoffice-production',
    });
    const variables = variablesOf('workers/mint-tickets');
    expect(Object.keys(variables)).toEqual(
      expect.arrayContaining([
        'TABLE_NAME',
        'MINT_TICKETS_QUEUE_URL',
        'STAGE',
        'MINTER_PRIVATE_KEY_ARN',
        'CHAIN_137_RPC_URLS_ARN',
      ]),
    );
    expect(variables).not.toHaveProperty('JWT_ACCESS_SECRET_ARN');
    expect(variables.STAGE).toBe('production');
  });

  it('has at least 512 MB unless it only serves files or a constant', () => {
    const small = functions.filter(({ entry }) => getFunction(production, entry).properties.MemorySize < 512);
    expect(small.map(({ entry }) => entry)).toEqual([
      'health/not-found',
      'health/health',
      'docs/openapi',
      'docs/page',
      'docs/part',
    ]);
  });

  it('sets VERIFY_WITH_GATEWAY to true in deployed stages when it declares the setting', () => {
    for (const webhook of functions.filter(({ settings }) => settings?.includes('VERIFY_WITH_GATEWAY'))) {
      expect(variablesOf(webhook.entry).VERIFY_WITH_GATEWAY).toBe('true');
    }
  });
});

describe('templates', () => {
  it.each([dev, staging, production])(
    'of $stage stay below half of CloudFormation’s limits',
    ({ templates }) => {
      for (const [name, template] of templates) {
        expect(Object.keys(template.Resources).length, name).toBeLessThan(250);
        expect(JSON.stringify(template).length, name).toBeLessThan(500_000);
      }
    },
  );
});

describe('parseStageName', () => {
  it('returns the name of a stage, and refuses any other name', () => {
    expect(parseStageName('staging')).toBe('staging');
    expect(() => parseStageName('prod')).toThrow('There is no stage "prod": choose dev, staging, production');
  });
});
