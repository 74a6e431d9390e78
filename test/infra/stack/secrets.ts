import { describe, expect, it } from 'vitest';
import { secretNames } from '../../../shared/runtime/settings.ts';
import { production, render, staging } from './synthesized.ts';

describe('secrets', () => {
  const secrets = production.ofType('AWS::SecretsManager::Secret');

  it('are generated without punctuation if they are keys of this service, and created without a value otherwise', () => {
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

  it('are in one region, except ORIGIN_SECRET, which CloudFront reads in us-east-1', () => {
    const replicated = secrets.filter(({ properties }) => properties.ReplicaRegions);
    expect(replicated.map(({ properties }) => [properties.Name, properties.ReplicaRegions])).toEqual([
      ['boxoffice/production/ORIGIN_SECRET', [{ Region: 'us-east-1' }]],
    ]);
    const stagingSecrets = staging.ofType('AWS::SecretsManager::Secret');
    expect(stagingSecrets.filter(({ properties }) => properties.ReplicaRegions)).toEqual([]);
  });

  it('are retained, unless the deployment that creates them fails', () => {
    for (const { definition } of secrets) expect(definition.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('are not in the functions’ environment variables, which have only their ARNs', () => {
    const secretArns = secrets.map(({ id }) => `\${${id}}`);
    for (const { properties } of production.ofType('AWS::Lambda::Function')) {
      const variables: Record<string, unknown> = properties.Environment.Variables;
      for (const [name, value] of Object.entries(variables)) {
        expect([...secretNames, 'CHAIN_137_RPC_URLS']).not.toContain(name);
        if (name.endsWith('_ARN')) expect(secretArns).toContain(render(value));
      }
    }
  });

  it('are not read by CloudFormation', () => {
    expect(JSON.stringify([...production.templates.values()])).not.toContain('{{resolve:');
  });
});
