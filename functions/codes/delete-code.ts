import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { deleteCode } from '../../shared/catalog/promo-codes/change-codes.ts';
import { codeErrorCodes, codePath } from '../../shared/catalog/promo-codes/code-input.ts';
import { codeView } from '../../shared/catalog/promo-codes/code-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/events/{id}/codes/{code}',
    summary: 'Delete an unused code, or deactivate a used one',
    caller: 'user',
    apiKey: acceptKeys('codes:write'),
    callerDescription: 'the event’s organizer and managers',
    path: codePath,
    response: z.object({ code: codeView }),
    errors: codeErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    timeoutSeconds: 29,
  },
  async ({ caller, path }) => ({ code: await deleteCode(path.id, path.code, caller.userId) }),
);
