import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { errorMeanings } from '../../../shared/core/error-codes.ts';
import type { DomainError } from '../../../shared/core/errors.ts';
import { filledText } from '../../../shared/core/schemas.ts';
import * as service from '../../../shared/http/middleware.ts';
import { notificationTopics } from '../../../shared/messaging/notifications/store.ts';

const source = path.resolve(import.meta.dirname, '../../../infra/storefront/src');
const folder = path.join(source, 'texts');
const filesIn = (directory: string) => readdirSync(directory, { encoding: 'utf8', recursive: true });
const codeFiles = filesIn(source).filter((file) => /[.]tsx?$/.test(file) && !/^texts./.test(file));
const areas = filesIn(path.join(folder, 'en')).map((file) => path.basename(file, '.ts'));
const languages = filesIn(folder).filter((name) => !/[.]|^en$/.test(name));

/** Returns the texts of an area by the paths of their keys. */
async function readTexts(language: string, area: string): Promise<Map<string, string>> {
  const list = (catalog: object, parent = ''): [string, string][] =>
    Object.entries(catalog).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[parent + key, value] as [string, string]]
        : list(value, `${parent}${key}.`),
    );
  const file = await import(path.join(folder, language, `${area}.ts`));
  return new Map(list(file[area]));
}

const placeholdersOf = (text = '') => [...text.matchAll(/{{[^}]*}}/g)].map(([match]) => match).sort();
const cases = languages.flatMap((language) => areas.map((area) => [language, area] as const));

describe('the texts of the storefront', () => {
  it.each(cases)(
    'in the language %s have all keys and placeholders of the area %s',
    async (language, area) => {
      const english = await readTexts('en', area);
      const translated = await readTexts(language, area);
      expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
      for (const [key, text] of english) {
        expect(translated.get(key), key).not.toBe('');
        expect(placeholdersOf(translated.get(key)), key).toEqual(placeholdersOf(text));
      }
    },
  );

  it.each(languages)(
    'in the language %s have a message for every error code of the API',
    async (language) => {
      const codes = Object.values(errorMeanings).flatMap((meanings) => Object.keys(meanings));
      // The storefront has its own words for a repeated request. The API's message for the others names what it is about.
      const others = [
        'in-progress',
        'idempotency-key-reused',
        'invalid-input',
        'already-checked-in',
        'wrong-list',
      ];
      const messages = await readTexts(language, 'errors');
      expect([...messages.keys()].sort()).toEqual(codes.filter((code) => !others.includes(code)).sort());
    },
  );

  it.each(languages)('in the language %s have the notifications of every topic', async (language) => {
    const keys = [...(await readTexts(language, 'notifications')).keys()];
    for (const part of ['title', 'message']) {
      const topics = keys
        .map((key) => key.split('.'))
        .filter(([, name]) => name === part || name === `${part}_other`)
        .map(([topic]) => topic);
      expect(topics.sort()).toEqual([...notificationTopics].sort());
    }
  });

  it.each(languages)('in the language %s are about fields that the API refuses', async (language) => {
    const api = path.resolve(import.meta.dirname, '../../../shared');
    const code = filesIn(api)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(api, file), 'utf8'))
      .join('\n')
      .replace(/[$]{[^}]*}|\d+|\b[A-Z]{3,4}\b/g, '#');
    // The API composes these of parts.
    const composed = ['must be at least #', 'must be more than #', 'must be a whole number', 'other'];
    const keys = [...(await readTexts(language, 'fields')).keys()];
    expect(keys.filter((key) => !composed.includes(key) && !code.includes(key))).toEqual([]);
  });

  it.each(areas)('of the area %s are all in use', async (area) => {
    const code = codeFiles.map((file) => readFileSync(path.join(source, file), 'utf8')).join('\n');
    const keys = [...(await readTexts('en', area)).keys()].map((key) => key.replace(/_(one|other)$/, ''));
    // A key may end with a value: t(`categories.${category}`).
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) ||
      [...key.matchAll(/[.]/g)].some(({ index }) => code.includes(`\`${key.slice(0, index + 1)}\${`));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('the code of the storefront', () => {
  it('contains no texts of its own', () => {
    expect(codeFiles.flatMap(findTexts)).toEqual([]);
  });

  it('reads no texts while a module is loaded, since its language may not be there yet', () => {
    expect(codeFiles.flatMap(findEarlyReads)).toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the package has no types
type Json = any;
const babel: Json = createRequire(import.meta.url)('@babel/core');

const parse = (file: string): Json =>
  babel.parseSync(readFileSync(path.join(source, file), 'utf8'), {
    filename: file,
    presets: [createRequire(import.meta.url).resolve('@babel/preset-typescript')],
    parserOpts: { plugins: ['jsx'] },
    configFile: false,
  });

/** Returns the calls of `t` outside of functions. */
function findEarlyReads(file: string): string[] {
  const found: string[] = [];
  babel.traverse(parse(file), {
    CallExpression(call: Json) {
      const { callee, loc } = call.node;
      const isText = callee.type === 'Identifier' && /^t$|Text$/.test(callee.name);
      if (isText && !call.getFunctionParent()) found.push(`${file}:${loc.start.line}`);
    },
  });
  return found;
}

/** Returns the texts in a file's elements and attributes, and all strings that look like the beginning of a sentence. */
function findTexts(file: string): string[] {
  const ast = parse(file);
  const found: string[] = [];
  const add = (text: string, pattern: RegExp) => {
    if (pattern.test(text)) found.push(`${file}: ${text.trim()}`);
  };
  const sentence = /^\p{Lu}\p{Ll}+ \p{L}/u;
  babel.traverse(ast, {
    JSXText: ({ node }: Json) => add(node.value, /\p{L}{2}/u),
    StringLiteral({ node, parent }: Json) {
      // Messages of errors are for developers.
      if (parent.type !== 'NewExpression') add(node.value, sentence);
      if (parent.type === 'JSXAttribute' && !sentence.test(node.value)) add(node.value, /^\p{Lu}\p{Ll}/u);
    },
    TemplateLiteral({ node, parent }: Json) {
      if (parent.type !== 'NewExpression') add(node.quasis[0].value.raw, sentence);
    },
  });
  return found;
}

describe('the language of the pages', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Loads the module anew, as a page does. */
  async function languageFor(browserLanguages: string[], chosen: string | null = null): Promise<string> {
    vi.resetModules();
    vi.stubGlobal('navigator', { languages: browserLanguages });
    vi.stubGlobal('localStorage', { getItem: () => chosen });
    return (await import('../../../infra/storefront/src/texts/texts.ts')).language;
  }

  it('is the first of the browser’s languages that the storefront has, and otherwise English', async () => {
    expect(await languageFor(['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(await languageFor(['en-US', 'de'])).toBe('en');
    expect(await languageFor(['fr'])).toBe('en');
    expect(await languageFor([])).toBe('en');
  });

  it('is that of what the API says about a field', async () => {
    await languageFor(['de']);
    // The generated client, which only the storefront's build finds.
    vi.doMock('boxoffice-client', () => ({}));
    const { loadTexts } = await import('../../../infra/storefront/src/texts/texts.ts');
    const { toSentence } = await import('../../../infra/storefront/src/errors.ts');
    await loadTexts('fields');
    const say = (message: string) => toSentence({ path: 'fields.name', message: `fields.name ${message}` });
    const validate = (schema: z.ZodType, value: unknown) => {
      try {
        service.validate(z.object({ fields: z.object({ name: schema }) }), { fields: { name: value } });
      } catch (error) {
        return (error as DomainError).fields.map((field) => toSentence(field)).join();
      }
    };
    expect(validate(filledText(100), undefined)).toBe('Bitte ausfüllen.');
    expect(validate(filledText(100), 'a'.repeat(101))).toBe('Bitte höchstens 100 Zeichen.');
    expect(validate(z.number().min(0.5), 0)).toBe('Bitte mindestens 0,5.');
    expect(validate(z.number().positive(), 0)).toBe('Bitte mehr als 0.');
    expect(validate(z.int(), 0.5)).toBe('Bitte eine ganze Zahl.');
    expect(validate(z.enum(['a']), 'b')).toBe('Bitte prüfen Sie diese Angabe.');
    expect(say('has more decimals than EUR allows')).toBe('Das sind mehr Nachkommastellen, als EUR hat.');
  });

  it('is the one that the visitor chose, if the storefront has it', async () => {
    expect(await languageFor(['en'], 'de')).toBe('de');
    expect(await languageFor(['de'], 'en')).toBe('en');
    expect(await languageFor(['de'], 'xx')).toBe('de');
  });

  it('decides about texts, plural forms, dates and amounts', async () => {
    await languageFor(['de-DE']);
    await (await import('../../../infra/storefront/src/texts/texts.ts')).loadTexts('shop');
    const { t } = await import('../../../infra/storefront/src/texts/shop.ts');
    const { formatMoney } = await import('../../../infra/storefront/src/money.ts');
    const { longTime } = await import('../../../infra/storefront/src/format.ts');
    expect([1, 2000].map((count) => t('values.left', { count }))).toEqual([
      'Noch 1 Ticket',
      'Noch 2.000 Tickets',
    ]);
    expect(formatMoney(1234.5, 'EUR')).toBe('1.234,50\u00a0€');
    expect(longTime('2031-06-01T18:30:00.000Z', 'Europe/Berlin')).toBe('Sonntag, 1. Juni 2031 um 20:30 MESZ');
  });

  it('leaves what people have written as it is, also when it looks like a placeholder', async () => {
    await languageFor(['en']);
    const { t } = await import('../../../infra/storefront/src/texts/shop.ts');
    const title = '$t(page.skip) {{count}} <b>&';
    expect(t('queue.turnTitle', { title })).toBe(`Your turn! ${title}`);
  });
});
