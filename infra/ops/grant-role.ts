import { parseArgs } from 'node:util';
import { grantRole } from '../../shared/accounts/users/change-user.ts';
import { roleGrant } from '../../shared/accounts/users/user.ts';
import { validate } from '../../shared/http/middleware.ts';
import { setTableEnvironment } from './table.ts';

export async function runGrantRole(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { email: { type: 'string' }, role: { type: 'string' }, unconfirmed: { type: 'boolean' } },
    strict: false,
  });
  const grant = validate(roleGrant, values);
  setTableEnvironment();
  const user = await grantRole(grant, { isUnconfirmed: values.unconfirmed === true });
  console.log(`${user.email} is ${user.role} from the next login or token refresh on.`);
}
