import { parseArgs } from 'node:util';
import { DomainError } from '../../shared/core/errors.ts';
import { readExport } from './read-export.ts';
import { type RawItem, scan } from './scan.ts';
import { useTable } from './table.ts';

/** A value that differs from the recomputed one. */
interface Difference {
  what: string;
  expected: number | bigint;
  found: number | bigint;
}

/**
 * Runs an audit from the command line: over an export of the table (`-- --export <folder>`), or else over the table itself.
 * Prints the differences, and exits with 1 when there are any.
 * @param subject what is consistent, such as "The ledger is"
 */
export async function runAudit(
  subject: string,
  audit: (read: () => Promise<RawItem[]>) => Promise<Difference[]>,
): Promise<void> {
  try {
    const folder = parseArgs({ options: { export: { type: 'string' } } }).values.export;
    if (folder === undefined) useTable();
    const differences = await audit(folder === undefined ? scan : () => readExport(folder));
    for (const { what, expected, found } of differences) {
      console.log(`${what}: expected ${expected}, found ${found}`);
    }
    console.log(differences.length === 0 ? `${subject} consistent.` : `${differences.length} differences.`);
    process.exitCode = differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
