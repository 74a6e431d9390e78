import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { stopNewAccountPayouts } from '../../shared/money/payouts/stop-payouts.ts';
import { payoutStop } from '../../shared/money/payouts/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/payouts/stop',
    summary: 'Stop the payouts to a new bank account with the token of a mailed link',
    description:
      'Also ends all sessions of the organizer. The link works once, until the payouts no longer wait.',
    caller: 'anyone',
    body: payoutStop,
    response: createMessageView('Payouts stopped'),
    errors: ['invalid-stop-token'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byOwner'],
    settings: ['MAIL_FROM', 'RETENTION_DAYS'],
    timeoutSeconds: 25,
  },
  async ({ body }) => {
    await stopNewAccountPayouts(body.token);
    return { message: 'Payouts stopped' };
  },
);
