import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawTicket } from '../../../shared/tickets/metadata/views.ts';
import { svgOf } from '../../support/images.ts';

const draw = (title: string, notice?: string) =>
  svgOf(drawTicket({ title, lines: ['Saturday', 'Club'], seed: 'event', notice }));

/** Returns the names of an image's tags. Fails when a `<` does not start a tag, as a strict XML parser would. */
function tagNamesOf(svg: string): string[] {
  const tags = svg.match(/<\/?\w+(?: [\w:-]+="[^"<]*")*\/?>/g) ?? [];
  expect(svg.split('<')).toHaveLength(tags.length + 1);
  return tags.map((tag) => /\w+/.exec(tag)?.[0] ?? '');
}

describe('a drawn ticket', () => {
  it('shows the title, the lines and a notice', () => {
    const svg = draw('Night of the Lambdas', 'Refunded, not valid for entry');
    expect(svg).toContain('>Night of the Lambdas<');
    expect(svg).toContain('>Saturday<');
    expect(svg).toContain('>Refunded, not valid for entry<');
  });

  it('contains no elements from its texts, such as a script', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"/><image href="https://evil.example/x"/>',
        ']]><!--',
        '&xxe;<!ENTITY a "b">',
        `' onload='alert(1)`,
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, (title, notice) => {
        const tagNames = tagNamesOf(draw(title, notice));
        expect(new Set(tagNames)).toEqual(new Set(['svg', 'rect', 'circle', 'text']));
      }),
      { numRuns: 300 },
    );
  });

  it('contains no character that XML forbids', () => {
    const svg = draw('a\u0000b\u0008c\ufffed\ud800e');
    expect(svg).not.toMatch(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/u);
    expect(svg).toContain('>abcd\ufffde<');
  });

  it('shortens long texts', () => {
    const svg = draw('word '.repeat(200), 'x'.repeat(1000));
    expect(svg.length).toBeLessThan(3_000);
    expect(svg).toContain('…');
  });
});
