import { parseArgs } from 'node:util';
import { DomainError } from '../../shared/core/errors.ts';
import { readExport } from './read-export.ts';
import { type RawItem, scanTable } from './scan-table.ts';
import { useTable } from './use-table.ts';

/** A value that differs from the recomputed one. */
interface Difference {
  subject: string;
  expected: number | bigint;
  found: number | bigint;
}

/**
 * Runs an audit from the command line: over an export of the table (`-- --export <folder>`), or else over the table itself.
 * Prints the differences, and exits with 1 when there are any.
 * @param title the beginning of the result, such as "The ledger is"
 */
export async function runAudit(
  title: string,
  audit: (read: () => Promise<RawItem[]>) => Promise<Difference[]>,
): Promise<void> {
  try {
    const folder = parseArgs({ options: { export: { type: 'string' } } }).values.export;
    if (folder === undefined) useTable();
    const differences = await audit(folder === undefined ? scanTable : () => readExport(folder));
    for (const { subject, expected, found } of differences) {
      console.log(`${subject}: expected ${expected}, found ${found}`);
    }
    console.log(differences.length === 0 ? `${title} consistent.` : `${differences.length} differences.`);
    process.exitCode = differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
