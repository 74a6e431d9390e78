import * as z from 'zod';
import { checkInCode } from '../../shared/admissions/admission-request.ts';
import { drawCode } from '../../shared/admissions/qr-code.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'private, max-age=3600' };

export const handler = endpoint(
  {
    summary: 'A check-in code as a QR code',
    description: 'The code itself is the key: an `<img>` needs no token.',
    caller: 'anyone',
    path: z.object({ code: checkInCode }),
    response: z.string(),
    type: 'image/svg+xml',
    errors: ['invalid-code', 'code-expired'],
  },
  async ({ path }) => new Reply(await drawCode(path.code), { headers }),
);
