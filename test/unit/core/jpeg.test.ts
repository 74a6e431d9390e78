import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanJpeg } from '../../../shared/core/jpeg.ts';
import { jpegSegment, tinyJpeg } from '../../support/images.ts';

describe('cleanJpeg', () => {
  it('keeps a picture and its colour profile, and removes comments, metadata and what follows the picture', () => {
    const profile = jpegSegment(0xe2, Buffer.from('ICC_PROFILE'));
    const metadata = [
      jpegSegment(0xe1, Buffer.from('Exif: 52.5 N')),
      jpegSegment(0xfe, Buffer.from('<script>')),
    ];
    const dirty = Buffer.concat([tinyJpeg([...metadata, profile]), Buffer.from('<html><script>')]);
    expect(cleanJpeg(dirty)).toEqual(tinyJpeg([profile]));
  });

  it.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['nothing', Buffer.alloc(0)],
    ['a header without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a side of 5,000 pixels', tinyJpeg([], { width: 5_000 })],
    ['a side of 0 pixels', tinyJpeg([], { height: 0 })],
  ])('refuses %s', (_, bytes) => {
    expect(() => cleanJpeg(bytes)).toThrow(/^The picture must/);
  });

  it('accepts or refuses any bytes, and cleaning twice changes nothing', () => {
    const bytes = fc.tuple(
      fc.constantFrom(Buffer.alloc(0), tinyJpeg().subarray(0, 12), tinyJpeg()),
      fc.uint8Array(),
    );
    fc.assert(
      fc.property(bytes, ([start, rest]) => {
        const input = Buffer.concat([start, rest]);
        let cleaned: Buffer;
        try {
          cleaned = cleanJpeg(input);
        } catch (error) {
          expect((error as Error).message).toMatch(/^The picture must/);
          return;
        }
        expect(cleanJpeg(cleaned)).toEqual(cleaned);
      }),
    );
  });
});
