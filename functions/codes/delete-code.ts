import * as z from 'zod';
import { codePath, codeRefusals } from '../../shared/codes/code-input.ts';
import { codeView } from '../../shared/codes/code-view.ts';
import { deleteCode } from '../../shared/codes/editing/delete-code.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Delete a code, or deactivate one that was used',
    caller: 'user',
    who: 'the event’s organizer and managers',
    path: codePath,
    response: z.object({ code: codeView }),
    errors: codeRefusals,
  },
  async ({ caller, path }) => ({ code: await deleteCode(path.id, path.code, caller.userId) }),
);
