import { CfnOutput, Stack } from 'aws-cdk-lib';
import { ConfigurationSet, EmailIdentity, Identity, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { mailDomain, stackName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';

/** The SES resources with which a function sends mail. */
export interface MailResources {
  configurationSetName: string;
  /** The ARNs that the permission to send has to include. */
  arns: string[];
}

/**
 * The SES resources of a stage with MAIL_FROM: the sender's domain with DKIM, and a configuration set. The set sends
 * nothing to addresses on the account's suppression list, and counts bounces and complaints.
 */
export class Mail extends Construct {
  readonly resources: MailResources | undefined;

  constructor(scope: Construct, { name, settings }: StageConfiguration) {
    super(scope, 'Mail');
    const domain = mailDomain(settings.MAIL_FROM);
    if (domain === undefined) return;
    const configurationSet = new ConfigurationSet(this, 'Set', {
      configurationSetName: stackName(name),
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      reputationMetrics: true,
    });
    const identity = new EmailIdentity(this, 'Identity', { identity: Identity.domain(domain) });
    // The operator adds these records to the domain's DNS. Until then SES refuses mails, and they stay in the outbox.
    for (const [index, record] of identity.dkimRecords.entries()) {
      new CfnOutput(this, `Dkim${index + 1}`, { value: `${record.name} CNAME ${record.value}` });
    }
    this.resources = {
      configurationSetName: stackName(name),
      arns: [
        identity.emailIdentityArn,
        Stack.of(this).formatArn({
          service: 'ses',
          resource: 'configuration-set',
          resourceName: configurationSet.configurationSetName,
        }),
      ],
    };
  }
}
