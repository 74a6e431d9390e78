import { requestPasswordReset } from '../../shared/auth/request-password-reset.ts';
import { messageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { viewerAddress } from '../../shared/http/viewer-address.ts';
import { passwordResetRequest } from '../../shared/users/user.ts';

const message = 'If there is an account with this e-mail, a link to a new password is on its way';

export const handler = endpoint(
  {
    summary: 'Request a link to reset a password',
    description:
      'Answers alike, and in the same time, with and without an account of this e-mail. Sends at most 3 mails an hour to an account, and serves at most 20 requests an hour from an address. The link is valid for one hour.',
    caller: 'anyone',
    body: passwordResetRequest,
    response: messageView(message),
  },
  async ({ body, ip, header }) => {
    await requestPasswordReset(body.email, await viewerAddress({ ip, header }));
    return { message };
  },
);
