import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { mailId } from '../../shared/mail/mail.ts';
import { findMail, insertMail } from '../../shared/mail/store.ts';
import { hashLinkToken } from '../../shared/mail/token.ts';
import { registerUser } from '../support/people.ts';
import { sharedStack } from '../support/stack.ts';
import { useTableOf } from '../support/table.ts';

beforeAll(() => {
  useTableOf();
  process.env.MAIL_FROM = 'tickets@boxoffice.test';
});

it('drops a mail whose link has expired or was not made by us', async () => {
  const { user } = await registerUser();
  const link = (expiresAt: number) => ({
    kind: 'password-reset' as const,
    userId: user.id,
    requestId: newId(),
    tokenHash: hashLinkToken('a token of somebody else'),
    expiresAt: new Date(expiresAt).toISOString(),
  });
  for (const content of [link(Date.now() - 1), link(Date.now() + 3_600_000)]) {
    for (const item of insertMail(content, user.id)) await write(item);
    await sharedStack().invoke('workers-send-mail', messages(mailId(content)));
    expect(await findMail(mailId(content))).toMatchObject({ status: 'dropped', reason: 'obsolete' });
  }
});

function messages(...ids: string[]) {
  const attributes = { ApproximateReceiveCount: '1' };
  return { Records: ids.map((id) => ({ messageId: id, body: JSON.stringify({ mailId: id }), attributes })) };
}
