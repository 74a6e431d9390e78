import { describe, expect, it } from 'vitest';
import { de } from '../../../shared/catalog/texts/de.ts';
import { en } from '../../../shared/catalog/texts/en.ts';
import { textsIn } from '../../../shared/catalog/texts/texts.ts';
import { languages } from '../../../shared/core/schemas.ts';
import { reasonSentences } from '../../../shared/orders/order.ts';

/** Returns the texts of a catalogue by the paths of their keys. */
function listTexts(catalog: object, path = ''): [string, string][] {
  return Object.entries(catalog).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[path + key, value] as [string, string]]
      : listTexts(value, `${path}${key}/`),
  );
}

const placeholdersOf = (text: string) => [...text.matchAll(/{{[^}]*}}/g)].map(([match]) => match).sort();

describe('the texts of mails and documents', () => {
  it.each(Object.entries({ de }))(
    'exist in the language %s, with the same placeholders',
    (_language, catalog) => {
      const inEnglish = new Map(listTexts(en));
      const translated = new Map(listTexts(catalog));
      expect([...translated.keys()].sort()).toEqual([...inEnglish.keys()].sort());
      for (const [key, text] of inEnglish) {
        expect(placeholdersOf(translated.get(key) ?? ''), key).toEqual(placeholdersOf(text));
      }
    },
  );

  it.each(languages)('in the language %s have a form for one and for several', (language) => {
    const t = textsIn(language);
    const subjects = [1, 2].map((count) => t('paid.subject', { count, event: 'Jazz' }));
    expect(new Set(subjects).size).toBe(2);
    for (const subject of subjects) expect(subject).toMatch(/Jazz$/);
  });

  it('have every reason for which the API explains a late payment', () => {
    const { refunded: _mailedAsRefund, ...reasons } = reasonSentences;
    expect(Object.keys(en.late.reasons).sort()).toEqual(Object.keys(reasons).sort());
  });

  it('print what people have written as it is, also when it looks like a placeholder', () => {
    const event = '$t(links.note) {{count}} <b>&';
    expect(textsIn('en')('cancelled.subject', { event })).toBe(`Cancelled: ${event}`);
  });
});
