import { requestEmailChange } from '../../shared/accounts/auth/change-email.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { emailChange } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/change-email',
    summary: 'Request another e-mail address for the caller’s account',
    description:
      'Mails a link to the new address, valid for a day. The account keeps its address until then.',
    caller: 'user',
    fresh: requireFreshSession,
    body: emailChange,
    response: createMessageView('Link sent'),
    errors: ['invalid-token', 'email-taken', 'email-just-changed', 'too-many-attempts'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-links'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, body }) => {
    await requestEmailChange(caller, body.email);
    return { message: 'Link sent' };
  },
);
