import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { build, bundleDirectory } from '../../../infra/build/build.ts';
import { functions } from '../../../infra/functions.ts';

/** A bundle's size determines how fast the function starts. Sizes are bytes of the minified file. */

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
const entriesWith = (name: string) =>
  functions.map(({ entry }) => entry).filter((entry) => bundleOf(entry).packages.includes(name));

describe('a bundle', () => {
  it.each(functions.map(({ entry }) => [entry, limitOf(entry)] as const))(
    'of %s has at most %i bytes',
    (entry, limit) => {
      expect(bundleOf(entry).bytes).toBeLessThanOrEqual(limit);
    },
  );

  it('contains a package only where it is needed', () => {
    expect(entriesWith('bcryptjs')).toEqual([
      'auth/register',
      'auth/login',
      'auth/reset-password',
      'auth/change-password',
    ]);
    expect(entriesWith('ical-generator')).toEqual(['events/get-calendar', 'workers/send-mail']);
    expect(entriesWith('ethers').filter((entry) => !mayKnowChains(entry))).toEqual([]);
    // It verifies signatures of wallets, including contract wallets.
    expect(entriesWith('viem').filter((entry) => !/wallet|verify-contract/.test(entry))).toEqual([]);
    expect(entriesWith('stripe')).toEqual(entriesOfGatewayC);
    expect(entriesWith('semver')).toEqual([]);
  });

  it('is searched by names that it does contain, so that the test above can fail', () => {
    expect(bundleOf('workers/mint-tickets').packages).toEqual(
      expect.arrayContaining(['@smithy/core', 'ethers']),
    );
  });
});

/** Functions that call gateway-c to start, confirm or refund payments. */
const entriesOfGatewayC = [
  'orders/initialize-order',
  'orders/cancel-order',
  'webhooks/gateway-c',
  'workers/send-money',
  'workers/settle-orders',
  'workers/sweep',
];

function mayKnowChains(entry: string): boolean {
  return [
    'workers/mint-tickets',
    'workers/run-event-jobs',
    'orders/confirm-order',
    'orders/reissue-order',
    'contracts/verify-contract',
    'auth/verify-wallet',
  ].includes(entry);
}

function limitOf(entry: string): number {
  // 23 KB of each are the logger of Powertools.
  if (entry.startsWith('health/') || entry === 'docs/page') return 35 * kilobyte;
  // Swagger UI, gzipped.
  if (entry === 'docs/part') return 700 * kilobyte;
  // 80 KB of each are zod, which parses what is read from the table; gateway-c has Stripe's package too.
  if (entry === 'webhooks/gateway-c') return 490 * kilobyte;
  if (entry.startsWith('webhooks/')) return 430 * kilobyte;
  // The composer of mails, QR codes and calendars.
  if (entry === 'workers/send-mail') return 760 * kilobyte;
  // orders/initialize has the most: the SDK, zod, Powertools and gateway-c's client.
  return (mayKnowChains(entry) ? 900 : 590) * kilobyte;
}
