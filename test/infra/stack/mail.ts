import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { deployedFunctionName } from '../../../infra/names.ts';
import { dev, production, render } from './synthesized.ts';

describe('the mail configuration', () => {
  it('has an identity for the domain of MAIL_FROM, with its DKIM records as outputs', () => {
    const identity = production.getOne('AWS::SES::EmailIdentity');
    expect(identity.properties.EmailIdentity).toBe('mail.boxoffice.test');
    const outputs = Object.values(production.templates.get('boxoffice-production.template.json')?.Outputs);
    const records = outputs.map((output) => render((output as { Value: unknown }).Value));
    for (const number of [1, 2, 3]) {
      expect(records).toContainEqual(expect.stringContaining(`${identity.id}.DkimDNSTokenName${number}`));
    }
  });

  it('suppresses addresses that bounced or complained, has reputation metrics, and is used by the mail worker', () => {
    expect(production.getOne('AWS::SES::ConfigurationSet').properties).toMatchObject({
      Name: 'boxoffice-production',
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      ReputationOptions: { ReputationMetricsEnabled: true },
    });
    const worker = production.getOne('AWS::Lambda::Function', {
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

  it('is absent in a stage without MAIL_FROM', () => {
    expect(dev.resources.filter(({ type }) => type.startsWith('AWS::SES::'))).toEqual([]);
  });
});
