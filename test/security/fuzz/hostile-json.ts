import * as fc from 'fast-check';

/** Depths of nesting, up to ones that overflow the stack of recursive code. */
const depths = fc.constantFrom(1, 10, 100, 1_000, 10_000, 40_000);
/** Lengths of texts and lists, most of them one more than a field allows. */
const lengths = fc.constantFrom(1, 65, 101, 255, 256, 2_001, 5_001, 70_000);

/** Generates JSON and invalid JSON that is known to break parsers and programs. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['null', 'true', '[]', '{}', '""', '0', '-0', '-1', '1.5', '1e999', '-1e999', '1e-400', '5e-324'],
      ...[
        '9007199254740993',
        '1e21',
        '1e-7',
        'NaN',
        'Infinity',
        'undefined',
        '0x10',
        '01',
        '+1',
        '.5',
        "'a'",
      ],
      ...['{"__proto__":{"role":"ADMIN"}}', '{"constructor":{"prototype":{"role":"ADMIN"}}}'],
      ...['{"toString":1,"valueOf":1}', '{"toJSON":1}', '{"length":1e9}', '{"then":1}', '{"$gt":""}'],
      ...['"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u202e"', '"\\ufeff"', '"\\x"', '"\n"', '"🎫"'],
      ...['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"', '"null"', '"me"', '"../.."'],
      ...[
        '"<script>alert(1)</script>"',
        '"=1+1"',
        '"{{7*7}}"',
        '"$(id)"',
        '"\' OR 1=1 --"',
        '"#pk"',
        '":now"',
      ],
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map((digits) => '9'.repeat(digits)) },
  { weight: 1, arbitrary: depths.map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
  { weight: 1, arbitrary: depths.map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) },
  { weight: 1, arbitrary: lengths.map((length) => JSON.stringify('x'.repeat(length))) },
  { weight: 1, arbitrary: lengths.map((length) => `[${Array(length).fill(0)}]`) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.double().map(String) },
  { weight: 2, arbitrary: fc.json({ stringUnit: 'binary' }) },
);
