import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rules } from './rules.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..');

/** A Babel plugin that turns type imports into imports, since types tie files together as well. */
const keepTypeImports = () => ({
  visitor: {
    // biome-ignore lint/suspicious/noExplicitAny: a node of Babel's syntax tree
    Program({ node: { body } }: any) {
      for (const statement of body) {
        if (statement.importKind) statement.importKind = 'value';
        if (statement.source && statement.exportKind) statement.exportKind = 'value';
        for (const specifier of statement.specifiers ?? [])
          if (specifier.importKind) specifier.importKind = 'value';
      }
    },
  },
});

/** dependency-cruiser reads TypeScript through Babel, since TypeScript 7 has no API that it supports. */
async function readImports(
  baseDir: string,
  sources: string[],
  { types = true } = {},
): Promise<ICruiseResult> {
  const { output } = await cruise(
    sources,
    { baseDir, validate: true, ruleSet: { forbidden: rules }, doNotFollow: { path: 'node_modules' } },
    { extensions: ['.ts', '.tsx', '.js', '.json'] },
    {
      babelConfig: {
        plugins: types ? [keepTypeImports] : [],
        presets: [
          [
            import.meta.resolve('@babel/preset-typescript').replace('file://', ''),
            { onlyRemoveTypeImports: true },
          ],
        ],
      },
    },
  );
  return output as ICruiseResult;
}

describe('imports', () => {
  it('follow the rules', async () => {
    const sources = globSync('{functions,shared,infra}/**/*.ts', { cwd: root });
    const { modules, summary } = await readImports(root, sources);
    expect(modules.length).toBeGreaterThan(300);
    expect(summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`)).toEqual([]);
  });

  // The files to read to follow one purchase. A commit that raises the number gives a reason: the last seven begin
  // the refund of a returned seat in the transaction that completes its new order, and record what a door has to know.
  it('lead a purchase through at most 102 files', async () => {
    const functions = [
      'functions/orders/initialize-order.ts',
      'functions/webhooks/gateway-a.ts',
      'functions/workers/fulfil-orders.ts',
      'functions/workers/mint-tickets.ts',
      'functions/tickets/list-tickets.ts',
    ];
    const { modules } = await readImports(root, functions, { types: false });
    const executed = modules.filter(({ source }) => /^(functions|shared)\//.test(source));
    expect(executed.length).toBeGreaterThan(40);
    expect(executed.length).toBeLessThanOrEqual(102);
  });
});

/** Each rule finds the file that breaks it. */
const offenders: Record<string, [file: string, imported: string]> = {
  'no-cycles': ['shared/core/a.ts', 'shared/core/a.ts'],
  'runtime-imports-rooms-below-it': ['shared/runtime/a.ts', 'shared/orders/b.ts'],
  'catalog-imports-rooms-below-it': ['shared/catalog/a.ts', 'shared/orders/b.ts'],
  'messaging-imports-rooms-below-it': ['shared/messaging/a.ts', 'shared/nft/b.ts'],
  'pure-files-use-no-input-output-or-clock': ['shared/orders/order.ts', 'shared/runtime/b.ts'],
  'handlers-import-shared-code-only': ['functions/a.ts', 'infra/b.ts'],
  'use-cases-know-no-transport': ['shared/orders/a.ts', 'shared/http/b.ts'],
  'stores-import-no-stores': ['shared/orders/store.ts', 'shared/catalog/store.ts'],
  'gateways-know-no-orders': ['shared/payments/gateway-a/a.ts', 'shared/dynamo/b.ts'],
  'shared-code-imports-shared-code-only': ['shared/orders/a.ts', 'infra/b.ts'],
  'only-tests-import-tests': ['infra/a.ts', 'test/b.ts'],
};

describe('the rules', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-imports-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each(Object.entries(offenders))('%s: finds a type import by %j', async (rule, [file, imported]) => {
    const baseDir = path.join(directory, rule);
    // The file imports the other, which imports it in turn where the rule is about cycles.
    const other = imported === file ? file.replace('a.ts', 'b.ts') : imported;
    const sources = {
      [other]: imported === file ? importOf(other, file) : '',
      [file]: importOf(file, other),
    };
    for (const [name, source] of Object.entries(sources)) {
      mkdirSync(path.join(baseDir, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(baseDir, name), `${source}\nexport type A = 1;\n`);
    }
    const { summary } = await readImports(baseDir, Object.keys(sources));
    expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
  });
});

function importOf(from: string, to: string): string {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return `import type { A as B } from '${relative.startsWith('.') ? relative : `./${relative}`}';\nexport type C = B;`;
}
