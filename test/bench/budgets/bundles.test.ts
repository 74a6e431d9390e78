import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleDirectory } from '../../../infra/build/build.ts';
import { functions } from '../../../infra/functions.ts';

/** Budgets of the bundles, since a larger bundle starts more slowly. Sizes are bytes of the minified file. */

const bundles = new Map<string, { bytes: number; packages: Map<string, number> }>();

beforeAll(() => {
  const directory = process.env.BOXOFFICE_FUNCTIONS ?? '';
  const { outputs }: Metafile = JSON.parse(readFileSync(path.join(directory, 'metafile.json'), 'utf8'));
  for (const row of functions) {
    const file = path.relative(process.cwd(), path.join(bundleDirectory(row, directory), 'function.cjs'));
    const output = outputs[file];
    if (!output) throw new Error(`No bundle of ${row.entry} at ${file}`);
    const packages = new Map<string, number>();
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
      if (name) packages.set(name, (packages.get(name) ?? 0) + bytesInOutput);
    }
    bundles.set(row.entry, { bytes: output.bytes, packages });
  }
});

const bundleOf = (entry: string) => bundles.get(entry) as { bytes: number; packages: Map<string, number> };
const entriesWithPackage = (name: string, moreThanBytes = 0) =>
  functions
    .map(({ entry }) => entry)
    .filter((entry) => (bundleOf(entry).packages.get(name) ?? 0) > moreThanBytes)
    .sort();

/** Functions that call a chain, verify a wallet's signature, or derive which token is being minted for a seat. */
const entriesWithEthers = [
  'workers/mint-tickets',
  'workers/run-event-jobs',
  'orders/confirm-order',
  'orders/reissue-order',
  'contracts/verify-contract',
  'auth/verify-wallet',
  'tickets/admit-seat',
  'tickets/check-in',
  'tickets/upload-scans',
];

/** Functions that start, confirm or refund payments with gateway-c. */
const entriesWithStripe = [
  'orders/cancel-order',
  'orders/initialize-order',
  'webhooks/gateway-c',
  'workers/send-money',
  'workers/settle-orders',
  'workers/sweep',
];

/** Functions that register or verify a passkey. */
const entriesWithWebAuthn = [
  'auth/add-passkey',
  'auth/confirm-session',
  'auth/passkey-login',
  'auth/passkey-login-options',
  'auth/passkey-options',
  'auth/verify-login',
];

/** Functions that request, store or read pictures. */
const entriesWithBucket = [
  'events/get-picture',
  'events/request-picture',
  'organizers/request-logo',
  'workers/resize-pictures',
];

function kilobyteLimit(entry: string): number {
  // Powertools' logger takes 23 KB of each.
  if (entry.startsWith('health/') || entry === 'docs/page') return 35;
  // One of Swagger UI's files, gzipped.
  if (entry === 'docs/part') return 700;
  // Two fonts, gzipped and base64-encoded, take 1,000 KB, and pdfkit 1,000 KB.
  if (['orders/print-invoice', 'orders/print-tickets', 'seats/print-ticket'].includes(entry)) return 2_700;
  // Composes mails in all languages, QR codes and calendar files. Evaluates the code that prints tickets only for events that want it.
  if (entry === 'workers/send-mail') return 3_000;
  if (entry === 'workers/send-links') return 920;
  // Passes are signed by node-forge, checked by joi, and in the language of their order.
  if (entry === 'seats/make-apple-pass') return 1_250;
  // Decodes and encodes pictures in WebAssembly, which takes 2,090 KB in base64.
  if (entry === 'workers/resize-pictures') return 2_900;
  // The SDK's client for S3 takes 170 KB.
  if (entriesWithBucket.includes(entry)) return 800;
  // It also reads the session and the second factors: 10 KB.
  if (entry === 'contracts/verify-contract') return 1_010;
  if (entriesWithEthers.includes(entry)) return 1_000;
  // @simplewebauthn/server takes 200 KB: the formats of keys and attestations.
  if (entriesWithWebAuthn.includes(entry)) return 950;
  // Most functions contain the SDK's client for DynamoDB (200 KB) and zod (150 KB); Stripe's package takes 250 KB.
  // What settles payments also begins the refund of a returned seat that they pay for: 25 KB.
  return entriesWithStripe.includes(entry) ? 1_000 : 720;
}

describe('a bundle', () => {
  it('is within its limit', () => {
    const tooLarge = functions
      .map(({ entry }) => ({ entry, kilobytes: bundleOf(entry).bytes / 1_000 }))
      .filter(({ entry, kilobytes }) => kilobytes > kilobyteLimit(entry));
    expect(tooLarge).toEqual([]);
  });

  it('contains a package only if the function needs it', () => {
    expect(entriesWithPackage('bcryptjs')).toEqual([
      'auth/change-password',
      'auth/confirm-session',
      'auth/login',
      'auth/register',
      'auth/reset-password',
    ]);
    expect(entriesWithPackage('ical-generator')).toEqual([
      'events/get-calendar',
      'workers/send-links',
      'workers/send-mail',
    ]);
    const printing = [
      'orders/print-invoice',
      'orders/print-tickets',
      'seats/print-ticket',
      'workers/send-mail',
    ];
    expect(entriesWithPackage('pdfkit')).toEqual(printing);
    const translating = entriesWithPackage('i18next').filter((entry) => !printing.includes(entry));
    expect(translating).toEqual(['seats/make-apple-pass', 'seats/make-google-link', 'workers/send-links']);
    expect(entriesWithPackage('passkit-generator')).toEqual(['seats/make-apple-pass']);
    // Functions that only validate an address contain 10 KB of ethers.
    const withEthers = entriesWithPackage('ethers', 20_000);
    expect(withEthers.filter((entry) => !entriesWithEthers.includes(entry))).toEqual([]);
    // viem verifies wallet signatures, including those of contract wallets.
    expect(entriesWithPackage('viem').filter((entry) => !/wallet|verify-contract/.test(entry))).toEqual([]);
    expect(entriesWithPackage('@aws-sdk/client-s3')).toEqual(entriesWithBucket);
    expect(entriesWithPackage('@cf-wasm/photon')).toEqual(['workers/resize-pictures']);
    expect(entriesWithPackage('stripe')).toEqual(entriesWithStripe);
    expect(entriesWithPackage('@simplewebauthn/server')).toEqual(entriesWithWebAuthn);
  });
});
