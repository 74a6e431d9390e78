import * as z from 'zod';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { drawCodeAsSvg } from '../../shared/tickets/check-in/qr-code.ts';
import { checkInCode } from '../../shared/tickets/check-in/views.ts';

const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'private, max-age=3600' };

export const handler = endpoint(
  {
    route: 'GET /api/tickets/qr/{code}',
    summary: 'Draw a check-in code as a QR code',
    description: 'The code authorizes the request, so an `<img>` element needs no access token.',
    caller: 'anyone',
    path: z.object({ code: checkInCode }),
    response: z.string(),
    mediaType: 'image/svg+xml',
    errors: ['invalid-code'],
    secrets: ['CHECK_IN_SECRET'],
  },
  async ({ path }) => new Reply(await drawCodeAsSvg(path.code), { headers }),
);
