import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { build, bundleDirectory } from '../../../infra/build/build.ts';
import { functions } from '../../../infra/functions.ts';

/** Budgets of the bundles, since a larger bundle starts more slowly. Sizes are bytes of the minified file. */

const kilobyte = 1_000;
const bundles = new Map<string, { bytes: number; packages: string[] }>();

beforeAll(async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-bundles-'));
  const { outputs } = await build(directory);
  for (const row of functions) {
    const file = path.relative(process.cwd(), path.join(bundleDirectory(row, directory), 'function.cjs'));
    const output = outputs[file];
    if (!output) throw new Error(`No bundle of ${row.entry} at ${file}`);
    const packages = Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
      return name && bytesInOutput > 0 ? [name] : [];
    });
    bundles.set(row.entry, { bytes: output.bytes, packages });
  }
  rmSync(directory, { recursive: true });
});

const bundleOf = (entry: string) => bundles.get(entry) as { bytes: number; packages: string[] };
const entriesWithPackage = (name: string) =>
  functions.map(({ entry }) => entry).filter((entry) => bundleOf(entry).packages.includes(name));

describe('a bundle', () => {
  it.each(functions.map(({ entry }) => [entry, byteLimit(entry)] as const))(
    'of %s has at most %i bytes',
    (entry, limit) => {
      expect(bundleOf(entry).bytes).toBeLessThanOrEqual(limit);
    },
  );

  it('contains a package only if the function needs it', () => {
    expect(entriesWithPackage('bcryptjs')).toEqual([
      'auth/register',
      'auth/login',
      'auth/reset-password',
      'auth/change-password',
    ]);
    expect(entriesWithPackage('ical-generator')).toEqual(['events/get-calendar', 'workers/send-mail']);
    expect(entriesWithPackage('ethers').filter((entry) => !mayContainEthers(entry))).toEqual([]);
    // viem verifies wallet signatures, including those of contract wallets.
    expect(entriesWithPackage('viem').filter((entry) => !/wallet|verify-contract/.test(entry))).toEqual([]);
    expect(entriesWithPackage('stripe')).toEqual(gatewayCEntries);
    expect(entriesWithPackage('semver')).toEqual([]);
  });

  it('lists its packages by name, including the scope', () => {
    expect(bundleOf('workers/mint-tickets').packages).toEqual(
      expect.arrayContaining(['@smithy/core', 'ethers']),
    );
  });
});

/** Functions that call gateway-c to start, confirm or refund payments. */
const gatewayCEntries = [
  'orders/initialize-order',
  'orders/cancel-order',
  'webhooks/gateway-c',
  'workers/send-money',
  'workers/settle-orders',
  'workers/sweep',
];

function mayContainEthers(entry: string): boolean {
  return [
    'workers/mint-tickets',
    'workers/run-event-jobs',
    'orders/confirm-order',
    'orders/reissue-order',
    'contracts/verify-contract',
    'auth/verify-wallet',
  ].includes(entry);
}

function byteLimit(entry: string): number {
  // Powertools' logger takes 23 KB of each.
  if (entry.startsWith('health/') || entry === 'docs/page') return 35 * kilobyte;
  // One of Swagger UI's files, gzipped.
  if (entry === 'docs/part') return 700 * kilobyte;
  // zod, which parses stored items, takes 80 KB of each. gateway-c also contains Stripe's package.
  if (entry === 'webhooks/gateway-c') return 490 * kilobyte;
  if (entry.startsWith('webhooks/')) return 430 * kilobyte;
  // Composes mails, QR codes and calendar files.
  if (entry === 'workers/send-mail') return 760 * kilobyte;
  // orders/initialize-order is the largest: the SDK, zod, Powertools and gateway-c's client.
  return (mayContainEthers(entry) ? 900 : 590) * kilobyte;
}
