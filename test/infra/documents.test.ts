import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../shared/core/money.ts';
import { supportsAmount } from '../../shared/payments/amounts.ts';
import { gatewayNames } from '../../shared/payments/gateway.ts';
import { transferGatewayA } from '../../shared/payments/gateway-a/gateway.ts';
import { transferGatewayB } from '../../shared/payments/gateway-b/gateway.ts';
import { secretNames, settingNames } from '../../shared/runtime/config.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const documents = globSync('{*.md,docs/*.md,infra/{client,storefront}/*.md}', { cwd: root });
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

/** The anchors that GitHub gives a document's headings. */
function anchorsOf(text: string): string[] {
  return Array.from(withoutCode(text).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a document that lead to no file, or to no heading of it. */
function deadLinks(file: string, text: string): string[] {
  const links = Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target = '', anchor] = link.split('#');
    const found = target === '' ? file : path.join(path.dirname(file), target);
    if (found !== file && !existsSync(path.join(root, found))) return true;
    return anchor !== undefined && !anchorsOf(found === file ? text : read(found)).includes(anchor);
  });
}

describe('the documents', () => {
  it.each(documents)('%s has no dead links', (file) => {
    expect(deadLinks(file, read(file))).toEqual([]);
  });

  it('are read so that a dead link is found', () => {
    expect(documents).toContain('docs/payments.md');
    const text =
      '# Real\n[a](nothing.md) [b](#real) [c](#unreal) [d](../README.md#nowhere) [e](../README.md)';
    expect(deadLinks('docs/x.md', text)).toEqual(['nothing.md', '#unreal', '../README.md#nowhere']);
  });

  it.each(documents)('%s names commands that exist', (file) => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = Array.from(read(file).matchAll(/\bnpm run (?:-\S+ )*([a-z][\w:-]*)/g), ([, name]) => name);
    expect(named.filter((name) => !(`${name}` in scripts))).toEqual([]);
  });

  it.each(documents)('%s names settings of gateways that exist', (file) => {
    const named = read(file).match(/\bGATEWAY_[ABC]_[A-Z_]+\b/g) ?? [];
    const known: string[] = [...secretNames, ...settingNames];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('docs/payments.md', () => {
  it('lists the currencies of each gateway', () => {
    const rows = currencies.flatMap((currency) => {
      const pay = gatewayNames.filter((name) => supportsAmount(name, currency));
      const payouts = [transferGatewayA, transferGatewayB]
        .filter((one) => one.supports(currency))
        .map(({ name }) => name);
      const cells = [currency, pay.join(', '), payouts.join(', ')];
      return pay.length > 0 ? [`| ${cells.join(' | ')} |`.replace('|  |', '| |')] : [];
    });
    const table = /\| currency \|.*?\n(?=\n)/s.exec(read('docs/payments.md'))?.[0].trimEnd();
    expect(table?.split('\n').slice(2)).toEqual(rows);
  });
});

it('docs/operations.md shows the stage that the tests synthesize', () => {
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(read('docs/operations.md')) ?? [];
  expect(JSON.parse(shown)).toEqual(JSON.parse(read('test/infra/stack/production.json')));
});

it('the README explains every setting and secret that an operator gives', () => {
  const readme = read('README.md');
  const unexplained = [...secretNames, ...settingNames].filter((name) => !readme.includes(`\`${name}\``));
  // The stage's name is given by the deployment.
  expect(unexplained).toEqual(['STAGE']);
});
