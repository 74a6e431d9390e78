import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/** A mistake that the drill must notice: a piece of a file below shared/, and what to put in its place. */
export interface Plant {
  file: string;
  search: string;
  replace: string;
  /** What the audit says of it: that orders are not done in time, say, may have other causes. */
  sign: RegExp;
}

const shared = path.resolve(import.meta.dirname, '..', '..', '..', 'shared');

/** The mistakes that similar services were seen to make. */
export const plants = {
  /** No receipt, so it is tried again with another nonce: mints twice where the first one was only late. */
  'new-nonce-after-an-error': {
    file: 'tickets/nonce/check.ts',
    search: 'if (outcomes.some(isOpen)) await rebroadcast(connection, transaction, orders, outcomes);',
    replace: `if (outcomes.some(isOpen)) {
      await rebroadcast(connection, transaction, orders, outcomes);
      if (Date.now() - firstAttempt(transaction).at > 2_000) {
        const used = { kind: 'consumed' as const, isFinal: true, mints: orders.map(() => null), burned: [] };
        await conclude(stored, used);
        return true;
      }
    }`,
    sign: /: nonces \d+ and \d+$/,
  },
  /** A replacement is sent without being written down first: after a crash nobody knows of it. */
  'attempt-not-stored': {
    file: 'tickets/nonce/rebroadcast.ts',
    search: 'if (!(await appendAttempt(transaction, { raw, at: Date.now() }))) return undefined;',
    replace: 'void appendAttempt;',
    sign: /was sent before it was stored$/,
  },
  /** The nonce is claimed, but what is signed for it is only written down after it was sent. */
  'first-attempt-not-stored': {
    file: 'tickets/nonce/store.ts',
    search: 'attempts: attempts.map(toStored) },\n    {',
    replace: 'attempts: [{ raw: Buffer.alloc(0), at: attempts[0]?.at ?? 0 }] },\n    {',
    sign: /was sent before it was stored$/,
  },
  /** One node is believed, although two are configured. */
  'one-node-believed': {
    file: 'chain/connection.ts',
    search: 'Math.min(2, endpoints.length)',
    replace: 'Math.min(1, endpoints.length)',
    sign: /: failed The contract \S+ did not mint the tickets$/,
  },
} as const satisfies Record<string, Plant>;

/** Builds a mistake in. @throws Error when the code no longer has the piece */
export function planted({ file, search, replace }: Plant): Plugin {
  const target = path.join(shared, file);
  return {
    name: 'plant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path: loaded }) => {
        if (loaded !== target) return undefined;
        const source = await readFile(loaded, 'utf8');
        if (!source.includes(search)) throw new Error(`${file} has no "${search}" any more`);
        return { contents: source.replace(search, replace), loader: 'ts' };
      });
    },
  };
}
