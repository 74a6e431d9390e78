/// <reference types="vite/types/importMeta.d.ts" />
import { createInstance } from 'i18next';
import type { ComponentChild, VNode } from 'preact';
import { tryStorage } from '../storage.ts';

/**
 * The texts of the pages. English is a part of the pages; each other language is a folder beside `en`, which is loaded only
 * when it is the visitor's. An area is a file in each folder: what some pages need together.
 */

interface Catalog {
  [key: string]: string | Catalog;
}

/** The type of a translated catalogue: the keys of the English one. */
export type Translated<English> = {
  [Key in keyof English]: English[Key] extends string ? string : Translated<English[Key]>;
};

const files = import.meta.glob<Record<string, Catalog>>(['./*/*.ts', '!./en/*.ts']);

/** The languages to choose from, by their codes. */
export const languages = ['en', ...new Set(Object.keys(files).map((file) => file.split('/')[1] ?? ''))];

const storageKey = 'boxoffice.language';

/** The language of the page: the visitor's choice, otherwise the first of the browser's languages that there is. */
export const language = findLanguage();

function findLanguage(): string {
  const chosen = tryStorage(() => localStorage.getItem(storageKey));
  const codes = [...(chosen ? [chosen] : []), ...navigator.languages].map((tag) => tag.slice(0, 2));
  return codes.find((code) => languages.includes(code)) ?? 'en';
}

/** Shows this and all later pages in another language. */
export function chooseLanguage(code: string): void {
  tryStorage(() => localStorage.setItem(storageKey, code));
  location.reload();
}

const i18n = createInstance({
  lng: language,
  fallbackLng: 'en',
  initAsync: false,
  resources: {},
  // Keys contain colons: events:read.
  nsSeparator: false,
  // Preact escapes what it shows.
  interpolation: { escapeValue: false },
});
void i18n.init();

// The types of i18next know one catalogue in a program, and that of the mails is it.
const translate = i18n.t as unknown as (key: string, options: { ns: string }) => string;
const has = i18n.exists as (key: string, options: { ns: string }) => boolean;

/** Loads the texts of the page's language: of one area, or of all. Texts that can't be loaded are English. */
export async function loadTexts(area?: string): Promise<void> {
  const folder = `./${language}/`;
  const wanted = Object.entries(files).filter(([file]) =>
    area ? file === `${folder}${area}.ts` : file.startsWith(folder),
  );
  await Promise.all(
    wanted.map(async ([file, load]) => {
      const name = file.slice(folder.length, -'.ts'.length);
      const catalogs = await load().catch(() => undefined);
      if (catalogs) i18n.addResourceBundle(language, name, catalogs[name]);
    }),
  );
}

/** Returns a text that only some languages have; undefined without it. The value `context` chooses among its forms. */
export const findText = (
  area: string,
  key: string,
  values: Record<string, string | number> = {},
): string | undefined =>
  has(key, { ...values, ns: area }) ? translate(key, { ...values, ns: area }) : undefined;

/**
 * Returns the texts of an area by their keys. Constants of modules have none, since modules may run before `loadTexts` is
 * done. A value of a placeholder may be an element.
 */
export function textsOf<const English extends Catalog>(area: string, english: English): Translate<English> {
  i18n.addResourceBundle('en', area, english);
  const t = (key: string, values: Record<string, string | number | VNode> = {}) => {
    const elements = Object.entries(values).filter(([, value]) => typeof value === 'object');
    if (elements.length === 0) return translate(key, { ...values, ns: area });
    const marks = Object.fromEntries(elements.map(([name]) => [name, `\0${name}\0`]));
    const parts = translate(key, { ...values, ...marks, ns: area }).split('\0');
    return parts.map((part, index) => (index % 2 === 0 ? part : values[part]));
  };
  return t as Translate<English>;
}

interface Translate<English> {
  <Key extends KeyOf<English>>(key: Key, ...values: Values<English, Key, string | number>): string;
  <Key extends KeyOf<English>>(
    key: Key,
    ...values: Values<English, Key, string | number | VNode>
  ): ComponentChild[];
}

type PluralForm = 'one' | 'other';
type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? Key extends `${infer Name}_${PluralForm}`
      ? Name
      : Key
    : `${Key}.${KeyOf<Texts[Key]>}`;
}[keyof Texts & string];

type Values<Texts, Key extends string, Value> = [Placeholder<Texts, Key>] extends [never]
  ? []
  : [values: Record<Placeholder<Texts, Key>, Value>];

/** The placeholders of a text, and the count that chooses its form. */
type Placeholder<Texts, Key extends string> = Key extends `${infer Section}.${infer Rest}`
  ? Section extends keyof Texts
    ? Placeholder<Texts[Section], Rest>
    : never
  : `${Key}_other` extends keyof Texts
    ? 'count' | NameIn<Texts[Extract<keyof Texts, `${Key}_${PluralForm}`>]>
    : NameIn<Texts[Extract<keyof Texts, Key>]>;

type NameIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? (Name extends `${infer Bare},${string}` ? Bare : Name) | NameIn<Rest>
  : never;
