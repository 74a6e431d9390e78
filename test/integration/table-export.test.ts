import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type RawItem, scanTable } from '../../infra/ops/table.ts';
import { buyTickets, openSale, registerUser } from '../support/fixtures.ts';
import { connectToTable } from '../support/stack.ts';

beforeAll(() => connectToTable());

/** Writes items as DynamoDB exports a table: one item per line in several gzipped files. Returns the folder. */
function writeExport(items: readonly RawItem[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataFolder = path.join(folder, 'AWSDynamoDB', '01234567890123-abcdefgh', 'data');
  mkdirSync(dataFolder, { recursive: true });
  const lines = items.map((item) =>
    JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) }),
  );
  for (const file of [0, 1]) {
    const half = lines.filter((_, index) => index % 2 === file).join('\n');
    writeFileSync(path.join(dataFolder, `part${file}.json.gz`), gzipSync(`${half}\n`));
  }
  return folder;
}

function runAudit(command: string, folder: string) {
  const script = path.resolve(import.meta.dirname, '../../infra/ops/main.ts');
  return promisify(execFile)(process.execPath, [script, command, '--export', folder]);
}

/** Sells tickets. Returns the items with the ids of the event, the order or the organizer in their key. */
async function createSaleItems(): Promise<RawItem[]> {
  const [sale, buyer] = [await openSale(), await registerUser()];
  const { orderId } = await buyTickets(sale, buyer, 2);
  const ids = [sale.event.id, orderId, sale.organizer.user.id];
  return (await scanTable()).filter(({ pk }) => ids.some((id) => pk.includes(id)));
}

it('the audit commands read an export of the table', async () => {
  const items = await createSaleItems();
  const folder = writeExport(items);
  expect((await runAudit('reconcile-inventory', folder)).stdout).toBe('The inventory is consistent.\n');
  expect((await runAudit('reconcile-ledger', folder)).stdout).toBe('The ledger is consistent.\n');
  expect((await runAudit('reconcile-promo-codes', folder)).stdout).toBe(
    'The uses of codes are consistent.\n',
  );

  const damagedItems = items.map((item) =>
    item.sk === 'INVENTORY' && item.available > 0 ? { ...item, available: item.available - 1 } : item,
  );
  await expect(runAudit('reconcile-inventory', writeExport(damagedItems))).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('free + held or sold: expected 100, found 99'),
  });
});

it('the audit commands fail for a folder without an export', async () => {
  const missingFolder = writeExport([]).replace(/-[^-]+$/, '-none');
  await expect(runAudit('reconcile-inventory', missingFolder)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no export of a table in .*\.\n$/),
  });
});
