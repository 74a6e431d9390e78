import * as z from 'zod';
import { email } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint, readViewerAddress } from '../../shared/http/endpoint.ts';
import { requestAccess } from '../../shared/orders/request-access.ts';

const message = 'If there are orders with this e-mail, links to them are on their way';

export const handler = endpoint(
  {
    route: 'POST /api/orders/access',
    summary: 'Request links to the orders of an address',
    description:
      'For orders that were bought without an account. The response and its duration do not reveal whether there are such orders. Sends mails for at most 3 requests an hour per address, and for at most 20 per IP address.',
    caller: 'anyone',
    body: z.object({ email }).meta({ examples: [{ email: 'ben@example.com' }] }),
    response: createMessageView(message),
    status: 202,
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-links'],
    secrets: ['ORIGIN_SECRET'],
    settings: ['MAIL_FROM'],
  },
  async ({ body, ip, header }) => {
    await requestAccess(body.email, await readViewerAddress({ ip, header }));
    return { message };
  },
);
