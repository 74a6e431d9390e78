import { DomainError } from '../../shared/core/errors.ts';
import { auditLedger } from './ledger-audit.ts';
import { useTable } from './table.ts';

// npm run audit-ledger

try {
  useTable();
  const discrepancies = await auditLedger();
  for (const { what, expected, found } of discrepancies) {
    console.log(`${what}: expected ${expected}, found ${found}`);
  }
  console.log(
    discrepancies.length === 0 ? 'The ledger is consistent.' : `${discrepancies.length} discrepancies.`,
  );
  process.exitCode = discrepancies.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
