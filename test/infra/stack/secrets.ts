import { describe, expect, it } from 'vitest';
import { secretNames } from '../../../shared/runtime/config.ts';
import { production, rendered, staging } from './synthesized.ts';

describe('secrets', () => {
  const secrets = production.ofType('AWS::SecretsManager::Secret');

  it('are generated without a comma for our own keys, and have no value otherwise', () => {
    for (const { properties } of secrets) {
      expect(properties.SecretString).toBeUndefined();
      expect(properties.GenerateSecretString).toEqual(
        /JWT_|CHECK_IN|ORIGIN/.test(properties.Name)
          ? { PasswordLength: 64, ExcludePunctuation: true }
          : undefined,
      );
    }
    const names = secrets.map(({ properties }) => properties.Name);
    expect(names).toEqual(
      expect.arrayContaining([
        'boxoffice/production/JWT_ACCESS_SECRET',
        'boxoffice/production/JWT_REFRESH_SECRET',
        'boxoffice/production/MINTER_PRIVATE_KEY',
        'boxoffice/production/CHAIN_137_RPC_URLS',
      ]),
    );
  });

  it('are in one region, but for the one that CloudFront shows to the API', () => {
    const replicated = secrets.filter(({ properties }) => properties.ReplicaRegions);
    expect(replicated.map(({ properties }) => [properties.Name, properties.ReplicaRegions])).toEqual([
      ['boxoffice/production/ORIGIN_SECRET', [{ Region: 'us-east-1' }]],
    ]);
    const withoutFront = staging.ofType('AWS::SecretsManager::Secret');
    expect(withoutFront.filter(({ properties }) => properties.ReplicaRegions)).toEqual([]);
  });

  it('survive in production, but not a first deployment that fails: their names would be taken', () => {
    for (const { definition } of secrets) expect(definition.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('are not in functions’ variables, only their ARNs', () => {
    const kept = secrets.map(({ id }) => `\${${id}}`);
    for (const { properties } of production.ofType('AWS::Lambda::Function')) {
      const variables: Record<string, unknown> = properties.Environment.Variables;
      for (const [name, value] of Object.entries(variables)) {
        expect([...secretNames, 'CHAIN_137_RPC_URLS']).not.toContain(name);
        if (name.endsWith('_ARN')) expect(kept).toContain(rendered(value));
      }
    }
  });

  it('are not read by CloudFormation', () => {
    expect(JSON.stringify([...production.templates.values()])).not.toContain('{{resolve:');
  });
});
