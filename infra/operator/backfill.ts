import { parseArgs } from 'node:util';
import { DomainError } from '../../shared/core/errors.ts';
import { backfillItems } from './backfill-items.ts';
import { setTableEnvironment } from './set-table-environment.ts';

// npm run backfill [-- --dry-run]
// Upgrades the items of earlier schema versions. With --dry-run: only counts them.

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
try {
  setTableEnvironment();
  const { examined, upgraded, invalid } = await backfillItems({ isDryRun: values['dry-run'] });
  const verb = values['dry-run'] ? 'to upgrade' : 'upgraded';
  console.log(`${examined} items examined, ${upgraded} ${verb}, ${invalid.length} not valid`);
  for (const key of invalid) console.log(`not valid: ${key}`);
  if (invalid.length > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
