import { requestPasswordReset } from '../../shared/accounts/auth/request-password-reset.ts';
import { passwordResetRequest } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint, readViewerAddress } from '../../shared/http/endpoint.ts';

const message = 'If there is an account with this e-mail, a link to set a new password is on its way';

export const handler = endpoint(
  {
    route: 'POST /api/auth/forgot-password',
    summary: 'Request a link to reset a password',
    description:
      'The response and its duration do not reveal whether an account has this e-mail. Sends mails for at most 3 requests an hour per account, and for at most 20 per IP address. The link is valid for one hour.',
    caller: 'anyone',
    body: passwordResetRequest,
    response: createMessageView(message),
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-links'],
    secrets: ['JWT_ACCESS_SECRET', 'ORIGIN_SECRET'],
    settings: ['MAIL_FROM'],
  },
  async ({ body, ip, header }) => {
    await requestPasswordReset(body.email, await readViewerAddress({ ip, header }));
    return { message };
  },
);
