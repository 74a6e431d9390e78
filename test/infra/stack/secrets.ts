import { describe, expect, it } from 'vitest';
import { secretNames } from '../../../shared/runtime/config.ts';
import { production, rendered } from './synthesized.ts';

describe('secrets', () => {
  const secrets = production.ofType('AWS::SecretsManager::Secret');

  it('are generated without a comma for our own keys, and have no value otherwise', () => {
    for (const { properties } of secrets) {
      expect(properties.SecretString).toBeUndefined();
      expect(properties.GenerateSecretString).toEqual(
        /JWT_|CHECK_IN/.test(properties.Name) ? { PasswordLength: 64, ExcludePunctuation: true } : undefined,
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

  it('are retained in production', () => {
    for (const { definition } of secrets) expect(definition.DeletionPolicy).toBe('Retain');
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
