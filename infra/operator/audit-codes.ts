import { DomainError } from '../../shared/core/errors.ts';
import { auditCodes } from './codes-audit.ts';
import { useTable } from './table.ts';

// npm run audit-codes

try {
  useTable();
  const differences = await auditCodes();
  for (const { what, expected, found } of differences) {
    console.log(`${what}: expected ${expected}, found ${found}`);
  }
  console.log(
    differences.length === 0 ? 'The uses of codes are consistent.' : `${differences.length} differences.`,
  );
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
