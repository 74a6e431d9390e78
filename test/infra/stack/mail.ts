import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { deployedFunctionName } from '../../../infra/names.ts';
import { dev, production, rendered } from './synthesized.ts';

describe('mail', () => {
  it('is sent from the domain of MAIL_FROM, signed with DKIM, whose records are outputs', () => {
    const identity = production.one('AWS::SES::EmailIdentity');
    expect(identity.properties.EmailIdentity).toBe('mail.boxoffice.test');
    const outputs = Object.values(production.templates.get('boxoffice-production.template.json')?.Outputs);
    const records = outputs.map((output) => rendered((output as { Value: unknown }).Value));
    for (const at of [1, 2, 3]) {
      expect(records).toContainEqual(expect.stringContaining(`${identity.id}.DkimDNSTokenName${at}`));
    }
  });

  it('goes to no address that bounced or complained, and is counted', () => {
    expect(production.one('AWS::SES::ConfigurationSet').properties).toMatchObject({
      Name: 'boxoffice-production',
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      ReputationOptions: { ReputationMetricsEnabled: true },
    });
    const worker = production.one('AWS::Lambda::Function', {
      FunctionName: deployedFunctionName(
        'production',
        functions.find(({ entry }) => entry === 'workers/send-mail') as never,
      ),
    });
    expect(worker.properties.Environment.Variables).toMatchObject({
      MAIL_CONFIGURATION_SET: 'boxoffice-production',
      MAIL_FROM: 'Boxoffice <tickets@mail.boxoffice.test>',
    });
  });

  it('needs nothing where it is not configured', () => {
    expect(dev.resources.filter(({ type }) => type.startsWith('AWS::SES::'))).toEqual([]);
  });
});
