import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { readStage, reservedConcurrency } from '../../infra/stages.ts';
import { currencies } from '../../shared/core/money.ts';
import { gatewayNames } from '../../shared/core/schemas.ts';
import { transferGatewayA } from '../../shared/payments/gateway-a.ts';
import { transferGatewayB } from '../../shared/payments/gateway-b.ts';
import { supportsAmount } from '../../shared/payments/provider.ts';
import { secretNames, settingNames } from '../../shared/runtime/settings.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const documents = globSync('{*.md,docs/*.md,infra/{client,storefront}/*.md}', { cwd: root });
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

/** Returns the anchors of a document: those that GitHub creates for headings, and those of `<a id="…">`. */
function anchorsOf(text: string): string[] {
  const plainText = withoutCode(text);
  const headings = Array.from(plainText.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...Array.from(plainText.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)];
}

/** Returns the links of a document to a file or an anchor that does not exist. */
function findDeadLinks(file: string, text: string): string[] {
  const links = Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target = '', anchor] = link.split('#');
    const linked = target === '' ? file : path.join(path.dirname(file), target);
    if (linked !== file && !existsSync(path.join(root, linked))) return true;
    return anchor !== undefined && !anchorsOf(linked === file ? text : read(linked)).includes(anchor);
  });
}

const opsHelp = execFileSync(process.execPath, [path.join(root, 'infra', 'ops', 'main.ts'), '--help'], {
  encoding: 'utf8',
});
const opsCommands = new Set(Array.from(opsHelp.matchAll(/^ {2}([a-z][\w-]*)/gm), ([, name]) => name));

describe('the documents', () => {
  it.each(documents)('%s has no dead links', (file) => {
    expect(findDeadLinks(file, read(file))).toEqual([]);
  });

  it.each(documents)('%s names only files and folders that exist', (file) => {
    const named = Array.from(
      read(file).matchAll(/`((?:shared|functions|infra|test|docs)\/[\w./-]+)`/g),
      ([, name]) => name,
    );
    expect(named.filter((name) => !existsSync(path.join(root, `${name}`)))).toEqual([]);
  });

  it.each(documents)('%s names only npm scripts that exist', (file) => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = Array.from(read(file).matchAll(/\bnpm run (?:-\S+ )*([a-z][\w:-]*)/g), ([, name]) => name);
    expect(named.filter((name) => !(`${name}` in scripts))).toEqual([]);
  });

  it.each(documents)('%s names only operators’ commands that exist', (file) => {
    const named = Array.from(read(file).matchAll(/\bops -- ([a-z][\w-]*)/g), ([, name]) => name);
    expect(named.filter((name) => !opsCommands.has(name ?? ''))).toEqual([]);
  });

  it.each(documents)('%s names only gateway settings that exist', (file) => {
    const named = read(file).match(/\bGATEWAY_[ABC]_[A-Z_]+\b/g) ?? [];
    const known: string[] = [...secretNames, ...settingNames];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('docs/payments.md', () => {
  it('lists the currencies of each gateway', () => {
    const rows = currencies.flatMap((currency) => {
      const gateways = gatewayNames.filter((name) => supportsAmount(name, currency));
      const payoutGateways = [transferGatewayA, transferGatewayB]
        .filter((gateway) => gateway.supports(currency))
        .map(({ name }) => name);
      const cells = [currency, gateways.join(', '), payoutGateways.join(', ')];
      return gateways.length > 0 ? [`| ${cells.join(' | ')} |`.replace('|  |', '| |')] : [];
    });
    const table = /\| currency \|.*?\n(?=\n)/s.exec(read('docs/payments.md'))?.[0].trimEnd();
    expect(table?.split('\n').slice(2)).toEqual(rows);
  });
});

it('docs/performance.md states the concurrency that production reserves', () => {
  const stage = readStage('production', path.join(root, 'test/infra/stack/production.json'));
  const reserved = functions.map((row) => reservedConcurrency(row, stage) ?? 0);
  const orders = stage.reservedConcurrency?.orders ?? 0;
  const others = reserved.reduce((sum, executions) => sum + executions, -orders);
  expect(read('docs/performance.md')).toContain(
    `orders have ${orders}, and webhooks, workers, the door and the sweep ${others}`,
  );
});

it.each(['First deployment', 'Before a sale', 'During a sale', 'After an incident'])(
  'docs/operations.md has the list "%s", which fits a screen and has its commands',
  (title) => {
    const [, list = ''] =
      new RegExp(`^## ${title}\\n([^]*?)^## `, 'm').exec(read('docs/operations.md')) ?? [];
    expect(list).toMatch(/^\d+\. /m);
    expect(list).toContain('```sh');
    expect(list.split('\n').length).toBeLessThanOrEqual(45);
  },
);

it('docs/deployment.md shows the production stage file of the infrastructure tests', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(read('docs/deployment.md')) ?? [];
  expect(JSON.parse(example)).toEqual(JSON.parse(read('test/infra/stack/production.json')));
});
