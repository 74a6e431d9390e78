import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { changeCode } from '../../shared/catalog/promo-codes/change-codes.ts';
import { codeChange, codeErrorCodes, codePath } from '../../shared/catalog/promo-codes/code-input.ts';
import { codeView } from '../../shared/catalog/promo-codes/code-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/events/{id}/codes/{code}',
    summary: 'Update a code',
    description: 'Orders already placed with the code keep their price.',
    caller: 'user',
    apiKey: acceptKeys('codes:write'),
    callerDescription: 'the event’s organizer and managers',
    path: codePath,
    body: codeChange,
    response: z.object({ code: codeView }),
    errors: codeErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  },
  async ({ caller, path, body }) => ({ code: await changeCode(path.id, path.code, caller.userId, body) }),
);
