import { DomainError } from '../../shared/core/errors.ts';
import { auditStock } from './stock-audit.ts';
import { useTable } from './table.ts';

// npm run audit-stock

try {
  useTable();
  const differences = await auditStock();
  for (const { what, expected, found } of differences) {
    console.log(`${what}: expected ${expected}, found ${found}`);
  }
  console.log(
    differences.length === 0 ? 'The inventory is consistent.' : `${differences.length} differences.`,
  );
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
