import { getAddress } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deriveId, newId, newOwnedId, ownerMark, randomCode } from '../../../shared/core/ids.ts';
import { checksumAddress, filledText, text, toView, walletAddress } from '../../../shared/core/schemas.ts';
import { toCsv } from '../../../shared/core/text.ts';
import { validate } from '../../../shared/http/middleware.ts';

const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const zeroAddress = `0x${'0'.repeat(40)}`;

describe('an address', () => {
  it('is returned checksummed from lower or upper case', () => {
    fc.assert(
      fc.property(anyAddress, (lower) => {
        const expected = getAddress(lower);
        expect(checksumAddress(lower)).toBe(expected);
        expect(checksumAddress(`0x${lower.slice(2).toUpperCase()}`)).toBe(expected);
        expect(checksumAddress(expected)).toBe(expected);
      }),
    );
  });

  it('is refused in mixed case with a wrong checksum', () => {
    const right = getAddress(`0x${'ab'.repeat(20)}`);
    const position = right.search(/[a-f]/);
    const wrong = right.slice(0, position) + right.charAt(position).toUpperCase() + right.slice(position + 1);
    expect(checksumAddress(right)).toBe(right);
    expect(checksumAddress(wrong)).toBeUndefined();
  });

  it.each([
    ['', 'empty'],
    ['0x', 'no digits'],
    [`0x${'a'.repeat(39)}`, 'one digit too few'],
    [`0x${'a'.repeat(41)}`, 'one digit too many'],
    [`0X${'a'.repeat(40)}`, 'an upper-case prefix'],
    ['a'.repeat(40), 'no prefix'],
    [`0x${'g'.repeat(40)}`, 'no hexadecimal digits'],
    [`0x${'a'.repeat(40)}\n`, 'a line break'],
  ])('is refused: %j (%s)', (text) => {
    expect(checksumAddress(text)).toBeUndefined();
  });
});

describe('the wallet schema', () => {
  it('returns the address checksummed', () => {
    const lower = `0x${'ab'.repeat(20)}`;
    expect(walletAddress.parse(lower)).toBe(getAddress(lower));
  });

  it.each([zeroAddress, '0x12', 42, null])('refuses %j', (value) => {
    expect(walletAddress.safeParse(value).success).toBe(false);
  });
});

const cuid = /^c[0-9a-z]{24}$/;
const now = Date.UTC(2026, 10, 21);

describe('a new id', () => {
  it('has the format of a CUID and is unique', () => {
    const ids = Array.from({ length: 10_000 }, () => newId(now));
    for (const id of ids) expect(id).toMatch(cuid);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts after every older id', () => {
    const times = [0, 1, 35, 36, now - 1, now, now + 1, Date.UTC(2058, 0, 1)];
    const ids = times.map((time) => newId(time));
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('a new id of an owner', () => {
  it('has the format of a CUID, is unique, and shares its mark with the owner’s other ids', () => {
    const ids = Array.from({ length: 10_000 }, () => newOwnedId('olga', now));
    for (const id of ids) expect(id).toMatch(cuid);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(ownerMark)).size).toBe(1);
    expect(ownerMark(newOwnedId('mallory', now))).not.toBe(ownerMark(ids[0] ?? ''));
  });
});

describe('a derived id', () => {
  it('is the same for the same seed and time, and differs for another seed or time', () => {
    expect(deriveId('BOX-1', now)).toMatch(cuid);
    expect(deriveId('BOX-1', now)).toBe(deriveId('BOX-1', now));
    expect(deriveId('BOX-2', now)).not.toBe(deriveId('BOX-1', now));
    expect(deriveId('BOX-1', now + 1)).not.toBe(deriveId('BOX-1', now));
  });

  it('sorts among new ids by its time', () => {
    expect(deriveId('z', now) < newId(now + 1)).toBe(true);
    expect(deriveId('a', now) > newId(now - 1)).toBe(true);
  });
});

describe('a random code', () => {
  it.each([1, 8, 32])('has %i upper-case letters and digits', (length) => {
    expect(randomCode(length)).toMatch(new RegExp(`^[0-9A-Z]{${length}}$`));
  });
});

describe('text', () => {
  it('is trimmed', () => {
    const valid = 'Zoë’s “Ü30” 漢字 🎫\r\n\t– second line';
    expect(validate(text(100), ` ${valid}\n`)).toBe(valid);
    expect(validate(text(100), ' ')).toBe('');
  });

  it.each(['\u0000', 'a\u001b[31mb', 'a\u0007b', 'a\u007fb', 'a\u009bb'])(
    'is refused with control characters: %j',
    (invalid) => {
      expect(() => validate(text(100), invalid)).toThrow('must not contain control characters');
      expect(() => validate(filledText(100), invalid)).toThrow('must not contain control characters');
    },
  );

  it('has a minimum and a maximum length', () => {
    expect(() => validate(text(3), 'four')).toThrow('must have at most 3 characters');
    expect(() => validate(filledText(3), '  ')).toThrow('must not be empty');
  });
});

const view = z.object({
  id: z.string(),
  price: z.number(),
  note: z.string().nullable(),
  link: z.string().optional(),
  owner: z.object({ name: z.string() }),
});
const item = {
  pk: 'ITEM#1',
  id: '1',
  price: 500n,
  note: undefined as string | undefined,
  owner: { name: 'Olga', password: 'secret' },
  secret: 'secret',
};

describe('a view', () => {
  it('has only the fields of its schema, at every depth, with null for an absent value', () => {
    expect(toView(view, item, { price: 5 })).toEqual({
      id: '1',
      price: 5,
      note: null,
      owner: { name: 'Olga' },
    });
  });

  it('prefers computed fields', () => {
    const computed = { price: 5, id: '2', owner: { name: 'Ben' } };
    expect(toView(view, { ...item, note: 'x' }, computed)).toEqual({ ...computed, note: 'x' });
  });

  it('requires the fields that the item has in another form', () => {
    // @ts-expect-error `price` of the item is a bigint
    expect(() => toView(view, item, {})).toThrow('price');
    // @ts-expect-error without an owner
    expect(() => toView(view, { id: '1', price: 5 }, {})).toThrow('owner');
  });
});

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
    '\t1',
    '\r1',
    '\n1',
    ' =HYPERLINK("http://evil")',
    '\u200b=1',
    '＝1',
  ])('prefixes %j, which a spreadsheet would run as a formula', (text) => {
    expect(parse(toCsv(['x'], [[text]]))[1]).toEqual([`'${text}`]);
  });

  it.each([
    ['Ann;=1+1', "Ann;'=1+1"],
    ["Ann; +cmd|' /C calc'!A0", "Ann; '+cmd|' /C calc'!A0"],
    ['Ann;"=1+1";@x', `Ann;"'=1+1";'@x`],
    ['Ann\n=1+1', "Ann\n'=1+1"],
    ['Ann\t-1', "Ann\t'-1"],
    ['\n=1', "'\n'=1"],
  ])('prefixes the formula in %j, where a cell begins for a spreadsheet with semicolons', (text, escaped) => {
    expect(parse(toCsv(['x'], [[text]]))[1]).toEqual([escaped]);
  });

  it.each(['Ann', "O'Neill", 'a=b', '1-2', 'a; b=c', 'ann+jazz@example.com', ''])(
    'does not change %j',
    (text) => {
      expect(parse(toCsv(['x'], [[text]]))[1]).toEqual([text]);
    },
  );

  it('writes every text as one cell', () => {
    const unit = fc.constantFrom(...`=+-@\t\r\n",;' aé€0`);
    const text = fc.string({ unit, maxLength: 8 });
    const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { maxLength: 5 });
    const withoutApostrophes = (cell: string) => cell.replaceAll("'", '');
    const isReadBack = (cell: string, text: string) =>
      !/^[\t\r\n]|(^|[;\t\r\n])[=+\-@]/.test(cell) && withoutApostrophes(cell) === withoutApostrophes(text);
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
