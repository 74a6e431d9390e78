import { CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
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
 * nothing to addresses on the account's suppression list, and reports bounces and complaints to a queue.
 */
export class Mail extends Construct {
  readonly resources: MailResources | undefined;

  /** @param events receives a message about each bounce and complaint */
  constructor(scope: Construct, { name, settings }: StageConfiguration, events: IQueue) {
    super(scope, 'Mail');
    const domain = mailDomain(settings.MAIL_FROM);
    if (domain === undefined) return;
    const configurationSet = new ConfigurationSet(this, 'Set', {
      configurationSetName: stackName(name),
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      reputationMetrics: true,
    });
    const eventBus = EventBus.fromEventBusName(this, 'EventBus', 'default');
    configurationSet.addEventDestination('Events', {
      destination: EventDestination.eventBus(eventBus),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    this.#forwardEvents(stackName(name), events);
    const bounceDomain = `bounce.${domain}`;
    const identity = new EmailIdentity(this, 'Identity', {
      identity: Identity.domain(domain),
      mailFromDomain: bounceDomain,
    });
    // The operator adds these records to the domain's DNS. Without DKIM SES refuses mails, and they stay in the outbox.
    for (const [index, record] of identity.dkimRecords.entries()) {
      new CfnOutput(this, `Dkim${index + 1}`, { value: `${record.name} CNAME ${record.value}` });
    }
    const feedbackHost = `feedback-smtp.${Stack.of(this).region}.amazonses.com`;
    new CfnOutput(this, 'MailFromMx', { value: `${bounceDomain} MX 10 ${feedbackHost}` });
    new CfnOutput(this, 'MailFromSpf', { value: `${bounceDomain} TXT "v=spf1 include:amazonses.com ~all"` });
    // Google and Yahoo refuse mass mail from domains without a policy.
    new CfnOutput(this, 'Dmarc', { value: `_dmarc.${domain} TXT "v=DMARC1; p=none"` });
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

  /** Forwards the events of this stage's mails to the queue, as messages of its worker. */
  #forwardEvents(configurationSet: string, queue: IQueue): void {
    const message = {
      type: 'record-mail-event',
      mailId: EventField.fromPath('$.detail.mail.tags.mailId[0]'),
      requestedAt: EventField.fromPath('$.detail.mail.tags.requestedAt[0]'),
      event: EventField.fromPath('$.detail.eventType'),
    };
    new Rule(this, 'Forward', {
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received'],
        detail: {
          mail: { tags: { 'ses:configuration-set': [configurationSet], mailId: [{ exists: true }] } },
        },
      },
      targets: [new SqsQueue(queue, { message: RuleTargetInput.fromObject(message) })],
    });
  }
}
