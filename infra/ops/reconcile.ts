import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { auditInventory } from './reconcile-inventory.ts';
import { auditLedger } from './reconcile-ledger.ts';
import { auditCodes } from './reconcile-promo-codes.ts';
import { type RawItem, readExport, scanTable, setTableEnvironment } from './table.ts';

/** A value that differs from the recomputed one. */
interface Difference {
  subject: string;
  expected: number | bigint;
  found: number | bigint;
}

type Audit = (read: () => Promise<RawItem[]>) => Promise<Difference[]>;

const secondReadDelayMilliseconds = 5_000;

export const reconcileInventory = (args: string[]) =>
  reconcile(args, auditInventory, 'The inventory is consistent.');
export const reconcileLedger = (args: string[]) => reconcile(args, auditLedger, 'The ledger is consistent.');
export const reconcilePromoCodes = (args: string[]) =>
  reconcile(args, auditCodes, 'The uses of codes are consistent.');

/**
 * Reconciles an export of the table (`--export <folder>`), or the table itself. Prints the differences, and exits with 1
 * when there are any.
 * @param successMessage the line to print when there are no differences
 */
async function reconcile(args: string[], audit: Audit, successMessage: string): Promise<void> {
  const folder = parseArgs({ args, options: { export: { type: 'string' } } }).values.export;
  if (folder === undefined) setTableEnvironment();
  const differences = await (folder === undefined ? auditTable(audit) : audit(() => readExport(folder)));
  for (const { subject, expected, found } of differences) {
    console.log(`${subject}: expected ${expected}, found ${found}`);
  }
  console.log(differences.length === 0 ? successMessage : `${differences.length} differences.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
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
