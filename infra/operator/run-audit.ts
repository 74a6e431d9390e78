import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DomainError } from '../../shared/core/errors.ts';
import { readExport } from './read-export.ts';
import { type RawItem, scanTable } from './scan-table.ts';
import { setTableEnvironment } from './set-table-environment.ts';

/** A value that differs from the recomputed one. */
interface Difference {
  subject: string;
  expected: number | bigint;
  found: number | bigint;
}

type Audit = (read: () => Promise<RawItem[]>) => Promise<Difference[]>;

const secondReadDelayMilliseconds = 5_000;

/**
 * Runs an audit from the command line, on an export of the table (`-- --export <folder>`) or on the table itself.
 * Prints the differences, and exits with 1 when there are any.
 * @param successMessage the line to print when there are no differences
 */
export async function runAudit(audit: Audit, successMessage: string): Promise<void> {
  try {
    const folder = parseArgs({ options: { export: { type: 'string' } } }).values.export;
    if (folder === undefined) setTableEnvironment();
    const differences = await (folder === undefined ? auditTable(audit) : audit(() => readExport(folder)));
    for (const { subject, expected, found } of differences) {
      console.log(`${subject}: expected ${expected}, found ${found}`);
    }
    console.log(differences.length === 0 ? successMessage : `${differences.length} differences.`);
    process.exitCode = differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Audits a table in use. A scan is not a snapshot, so a change during the scan may appear as a difference. If there are
 * differences, reads the table again, and returns only the differences of both reads.
 */
async function auditTable(audit: Audit): Promise<Difference[]> {
  const first = await audit(scanTable);
  if (first.length === 0) return [];
  await setTimeout(secondReadDelayMilliseconds);
  const subjects = new Set(first.map(({ subject }) => subject));
  return (await audit(scanTable)).filter(({ subject }) => subjects.has(subject));
}
