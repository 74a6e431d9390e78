import { parseArgs } from 'node:util';
import { grantRole } from '../../shared/accounts/users/grant-role.ts';
import { roleGrant } from '../../shared/accounts/users/user.ts';
import { DomainError } from '../../shared/core/errors.ts';
import { validate } from '../../shared/http/validation.ts';
import { setTableEnvironment } from './set-table-environment.ts';

// npm run grant-role -- --email someone@example.com --role ADMIN

const { values } = parseArgs({
  options: { email: { type: 'string' }, role: { type: 'string' } },
  strict: false,
});
try {
  const grant = validate(roleGrant, values);
  setTableEnvironment();
  const user = await grantRole(grant);
  console.log(`${user.email} is ${user.role} from the next login or token refresh on.`);
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
