import type { StackDescription } from '../../infra/local/stack.ts';
import { eventually } from './eventually.ts';
import { sharedStack } from './stack.ts';

/** A mail as the local mailbox stores it. */
export interface ReceivedMail {
  messageId: string;
  from: string;
  destination: { to: string[] };
  subject: string;
  body: { text: string; html: string };
  /** `content` is in base64; `cid` names a picture within the HTML. */
  attachments: { filename?: string; contentType: string; content: string; cid?: string }[];
}

/** Epoch seconds. Polling all mails of a run would slow it down more and more. */
const startedAt = Math.floor(Date.now() / 1000);

/** Lists the mails that an address has received since the test file began, oldest first. */
export async function mailsTo(
  address: string,
  stack: StackDescription = sharedStack(),
): Promise<ReceivedMail[]> {
  const answer = await fetch(`${stack.mailUrl}/store?since=${startedAt}`);
  const { emails } = (await answer.json()) as { emails: ReceivedMail[] };
  return emails.filter(({ destination }) => destination.to.includes(address));
}

/** Waits for a mail to an address. @param subject a part of its subject */
export function awaitMail(
  address: string,
  subject: string,
  stack: StackDescription = sharedStack(),
): Promise<ReceivedMail> {
  return eventually(`a mail "${subject}"`, async () =>
    (await mailsTo(address, stack)).find((mail) => mail.subject.includes(subject)),
  );
}
