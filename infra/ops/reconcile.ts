import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findInventoryDifferences } from './reconcile-inventory.ts';
import { findLedgerDifferences } from './reconcile-ledger.ts';
import { findCodeDifferences } from './reconcile-promo-codes.ts';
import { type RawItem, readExport, scanTable, setTableEnvironment } from './table.ts';

/** A value that differs from the recomputed one. */
interface Difference {
  subject: string;
  expected: number | bigint;
  found: number | bigint;
}

type FindDifferences = (read: () => Promise<RawItem[]>) => Promise<Difference[]>;

const secondReadDelayMilliseconds = 5_000;

export const reconcileInventory = (args: string[]) =>
  reconcile(args, findInventoryDifferences, 'The inventory is consistent.');
export const reconcileLedger = (args: string[]) =>
  reconcile(args, findLedgerDifferences, 'The ledger is consistent.');
export const reconcilePromoCodes = (args: string[]) =>
  reconcile(args, findCodeDifferences, 'The uses of codes are consistent.');

/**
 * Reconciles an export of the table (`--export <folder>`), or the table itself. Prints the differences, and exits with
 * 1 when there are any.
 * @param successMessage the line to print when there are no differences
 */
async function reconcile(
  args: string[],
  findDifferences: FindDifferences,
  successMessage: string,
): Promise<void> {
  const folder = parseArgs({ args, options: { export: { type: 'string' } } }).values.export;
  if (folder === undefined) setTableEnvironment();
  const differences = await (folder === undefined
    ? reconcileTable(findDifferences)
    : findDifferences(() => readExport(folder)));
  for (const { subject, expected, found } of differences) {
    console.log(`${subject}: expected ${expected}, found ${found}`);
  }
  console.log(differences.length === 0 ? successMessage : `${differences.length} differences.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

/**
 * Reconciles a table in use. A scan is not a snapshot, so a change during the scan may appear as a difference. If there
 * are differences, reads the table again, and returns only the differences of both reads.
 */
async function reconcileTable(findDifferences: FindDifferences): Promise<Difference[]> {
  const first = await findDifferences(scanTable);
  if (first.length === 0) return [];
  await setTimeout(secondReadDelayMilliseconds);
  const subjects = new Set(first.map(({ subject }) => subject));
  return (await findDifferences(scanTable)).filter(({ subject }) => subjects.has(subject));
}
