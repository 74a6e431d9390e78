import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { optionalSetting } from './config.ts';

let cachedClient: SESv2Client | undefined;

/**
 * Returns the client, created at first use. The SDK does not retry, since a retry after a lost response would send a
 * second mail. It waits 10 s for the response.
 */
function client(): SESv2Client {
  cachedClient ??= new SESv2Client({
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 2_000,
      requestTimeout: 10_000,
      throwOnRequestTimeout: true,
      // A connection that SES has closed while the function was frozen fails in the middle of a request, and leaves
      // open whether the mail was sent.
      httpsAgent: { keepAlive: false },
    },
  });
  return cachedClient;
}

/** The mail service permanently refuses this mail. */
export class MailRefused extends Error {}

/**
 * Sends a message by Amazon SES.
 * @param raw the message in MIME
 * @param tags SES repeats them when it reports a bounce or a complaint: letters, digits, - and _
 * @throws MailRefused; any other error for a temporary refusal or an unknown outcome
 */
export async function sendRawMail(to: string, raw: Uint8Array, tags: Record<string, string>): Promise<void> {
  try {
    await client().send(
      new SendEmailCommand({
        Destination: { ToAddresses: [to] },
        Content: { Raw: { Data: raw } },
        EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
        ConfigurationSetName: optionalSetting('MAIL_CONFIGURATION_SET'),
      }),
    );
  } catch (error) {
    throw isPermanent(error) ? new MailRefused(error.name) : error;
  }
}

/**
 * Returns whether SES permanently refuses the message, for its address or its content. SES throws the same exception
 * for an identity that is not verified yet, which an operator can repair.
 */
function isPermanent(error: unknown): error is SESv2ServiceException {
  if (!(error instanceof SESv2ServiceException)) return false;
  if (error.name === 'MessageRejected') return !/not verified/i.test(error.message);
  return error.name === 'BadRequestException';
}
