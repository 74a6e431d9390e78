import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/** A deliberately broken copy of the code, which the drill (drill.ts) must detect. */
export interface Mutant {
  /** The file to change, below shared/. */
  file: string;
  search: string;
  replace: string;
  /** Matches the audit's problems that this mutant causes. Other problems do not count as its detection. */
  symptom: RegExp;
}

const shared = path.resolve(import.meta.dirname, '..', '..', '..', 'shared');

/** Mistakes that similar services were seen to make. */
export const mutants = {
  /** Retries a mint without a receipt under another nonce, which mints twice when the first one was only late. */
  'new-nonce-after-an-error': {
    file: 'nft/nonce/check-nonce.ts',
    search:
      'if (outcomes.some(mayNeedRebroadcast)) await rebroadcast(connection, transaction, orders, outcomes);',
    replace: `if (outcomes.some(mayNeedRebroadcast)) {
      await rebroadcast(connection, transaction, orders, outcomes);
      if (Date.now() - firstAttempt(transaction).at > 2_000) {
        const used = { kind: 'nonce-replaced' as const, isFinal: true, mints: orders.map(() => null), burned: [] };
        await finalize(storedNonce, used);
        return true;
      }
    }`,
    symptom: /: nonces \d+ and \d+$/,
  },
  /** Sends a replacement without storing it first, so that a crash loses it. */
  'attempt-not-stored': {
    file: 'nft/nonce/rebroadcast.ts',
    search: 'if (!(await appendAttempt(transaction, attempt))) return undefined;',
    replace: 'void appendAttempt;',
    symptom: /was sent before it was stored$/,
  },
  /** Claims the nonce, but does not store the signed transaction before sending it. */
  'first-attempt-not-stored': {
    file: 'nft/nonce/store.ts',
    search: 'attempts: attempts.map(toStored) },\n    {',
    replace: 'attempts: [{ raw: Buffer.alloc(0), at: attempts[0]?.at ?? 0 }] },\n    {',
    symptom: /was sent before it was stored$/,
  },
  /** Acts on the answer of one node, although two are configured. */
  'single-node-quorum': {
    file: 'chain/connection.ts',
    search: 'Math.min(2, nodes.length)',
    replace: 'Math.min(1, nodes.length)',
    symptom: /: failed not-minted$/,
  },
} as const satisfies Record<string, Mutant>;

/** Returns an esbuild plugin that applies the mutant. @throws Error when its file is missing or does not contain `search` */
export function mutate({ file, search, replace }: Mutant): Plugin {
  const target = path.join(shared, file);
  if (!existsSync(target)) throw new Error(`There is no file shared/${file}`);
  return {
    name: 'mutate',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path: loaded }) => {
        if (loaded !== target) return undefined;
        const source = await readFile(loaded, 'utf8');
        if (!source.includes(search)) throw new Error(`${file} no longer contains "${search}"`);
        return { contents: source.replace(search, replace), loader: 'ts' };
      });
    },
  };
}
