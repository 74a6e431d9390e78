import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from '../../../shared/core/text.ts';

/** Parses CSV by the rules of RFC 4180. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('toCsv', () => {
  it('quotes text but not numbers, and ends lines with CRLF', () => {
    expect(
      toCsv(
        ['name', 'amount'],
        [
          ['Ann "the boss", Smith', 10.5],
          [null, -1],
        ],
      ),
    ).toBe('"name","amount"\r\n"Ann ""the boss"", Smith",10.5\r\n"",-1\r\n');
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =HYPERLINK("http://evil")',
    '\u200b=1',
    '＝1',
  ])('prefixes %j, which a spreadsheet would run as a formula', (text) => {
    expect(parse(toCsv(['x'], [[text]]))[1]).toEqual([`'${text}`]);
  });

  it.each(['Ann', "O'Neill", 'a=b', '1-2', 'ann+jazz@example.com', ''])('does not change %j', (text) => {
    expect(parse(toCsv(['x'], [[text]]))[1]).toEqual([text]);
  });

  it('writes every text as one cell', () => {
    const unit = fc.constantFrom(...`=+-@\t\r\n",' aé€0`);
    const text = fc.string({ unit, maxLength: 8 });
    const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { maxLength: 5 });
    const isReadBack = (cell: string, text: string) =>
      !/^[=+\-@\t\r\n]/.test(cell) && [text, `'${text}`].includes(cell);
    fc.assert(
      fc.property(rows, (texts) => {
        const [, ...cells] = parse(toCsv(['a', 'b'], texts));
        const written = texts.flat();
        const results = cells.flat().map((cell, index) => isReadBack(cell, written[index] ?? ''));
        expect(results).toEqual(written.map(() => true));
      }),
    );
  });
});
