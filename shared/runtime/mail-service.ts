import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { optional } from './config.ts';

let madeClient: SESv2Client | undefined;

/**
 * Made at first use. The SDK sends a request once: a repetition after an answer that was lost would be a second mail.
 * It waits 10 s for the answer.
 */
function client(): SESv2Client {
  madeClient ??= new SESv2Client({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  return madeClient;
}

/** The mail service refuses this mail, now and later. */
export class MailRefused extends Error {}

/**
 * Hands a message to Amazon SES.
 * @param raw the message in MIME
 * @throws MailRefused; any other error when it may be taken later, or when the outcome is unknown
 */
export async function deliver(to: string, raw: Uint8Array): Promise<void> {
  try {
    await client().send(
      new SendEmailCommand({
        Destination: { ToAddresses: [to] },
        Content: { Raw: { Data: raw } },
        ConfigurationSetName: optional('MAIL_CONFIGURATION_SET'),
      }),
    );
  } catch (error) {
    throw isFinal(error) ? new MailRefused(error.name) : error;
  }
}

/**
 * Whether SES refuses the message for what it is: an address that can't exist, content that it rejects. An identity
 * that is not verified yet is refused by the same exception, but can be repaired.
 */
function isFinal(error: unknown): error is SESv2ServiceException {
  if (!(error instanceof SESv2ServiceException)) return false;
  if (error.name === 'MessageRejected') return !/not verified/i.test(error.message);
  return error.name === 'BadRequestException';
}
