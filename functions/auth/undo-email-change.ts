import { emailChangeLink } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { undoEmailChange } from '../../shared/money/payouts/stop-payouts.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/change-email/undo',
    summary:
      'Undo a change of the e-mail address with the token of the link that was mailed to the earlier one',
    description:
      'Ends all sessions and the password, unlinks the wallet, removes the passkeys and authenticator apps of the last seven days, and stops the payouts to new bank accounts that were not sent yet. API keys that were added since the change are deleted, webhook endpoints that were added or changed since are disabled, and staff that was added since, or has another role since, is removed. The owner then sets a new password by a mailed link.',
    caller: 'anyone',
    body: emailChangeLink,
    response: createMessageView('E-mail address restored'),
    errors: ['invalid-email-change-token', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byOwner'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM', 'PASSWORD_HASH_ROUNDS', 'RETENTION_DAYS'],
    timeoutSeconds: 25,
  },
  async ({ body }) => {
    await undoEmailChange(body.token);
    return { message: 'E-mail address restored' };
  },
);
