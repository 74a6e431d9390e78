import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanJpeg } from '../../../shared/catalog/pictures/jpeg.ts';
import { jpegSegment, tinyJpeg } from '../../support/pictures.ts';

describe('cleanJpeg', () => {
  it('keeps a picture and its colour profile, and removes comments, metadata and what follows the picture', () => {
    const profile = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0'));
    const metadata = [
      jpegSegment(0xe1, Buffer.from('Exif: 52.5 N')),
      jpegSegment(0xfe, Buffer.from('<script>')),
    ];
    const dirty = Buffer.concat([tinyJpeg([...metadata, profile]), Buffer.from('<html><script>')]);
    expect(cleanJpeg(dirty)).toEqual(tinyJpeg([profile]));
  });

  it('ends at the first end marker, also with another picture after it', () => {
    const second = tinyJpeg([jpegSegment(0xe1, Buffer.from('Exif: 52.5 N'))]);
    expect(cleanJpeg(Buffer.concat([tinyJpeg(), second]))).toEqual(tinyJpeg());
  });

  it('keeps the scans of a progressive picture and the tables between them, and removes metadata there too', () => {
    const scan = Buffer.concat([
      jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
      // A byte 0xff, a restart marker and a fill byte are part of the scan.
      Buffer.from([0x12, 0xff, 0x00, 0xff, 0xd0, 0x34, 0xff]),
    ]);
    const tables = [jpegSegment(0xc4, Buffer.from([0])), jpegSegment(0xdb, Buffer.from([0]))];
    const metadata = [
      jpegSegment(0xe1, Buffer.from('Exif: 52.5 N')),
      jpegSegment(0xe2, Buffer.from('MPF: a second picture')),
      jpegSegment(0xe0, Buffer.from('JFXX: a small copy')),
      jpegSegment(0xfe, Buffer.from('<script>')),
    ];
    const picture = (between: Buffer[]) =>
      Buffer.concat([tinyJpeg().subarray(0, -3), ...[scan, ...between, scan], Buffer.from([0xff, 0xd9])]);
    expect(cleanJpeg(picture([...metadata, ...tables]))).toEqual(picture(tables));
  });

  it.each([
    ['a second, larger frame', jpegSegment(0xc0, Buffer.from([8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0]))],
    ['HTML instead of a segment', Buffer.from('<html>')],
    ['another picture before the end', tinyJpeg()],
    ['the end of the data', Buffer.alloc(0)],
  ])('refuses a scan followed by %s', (_, rest) => {
    const scan = tinyJpeg().subarray(0, -2);
    const marked = Buffer.concat([scan, jpegSegment(0xc4, Buffer.from([0])), rest]);
    const input = rest.length > 0 ? Buffer.concat([marked, Buffer.from([0xff, 0xd9])]) : marked;
    expect(() => cleanJpeg(input)).toThrow(/^The picture must/);
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

  it('refuses more scans than any encoder makes, each of which takes the decoder a pass over the picture', () => {
    const scan = Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0])]);
    const picture = (scans: number) =>
      Buffer.concat([tinyJpeg().subarray(0, -2), ...Array(scans - 1).fill(scan), Buffer.from([0xff, 0xd9])]);
    expect(() => cleanJpeg(picture(64))).not.toThrow();
    expect(() => cleanJpeg(picture(65))).toThrow('at most 64 scans');
  });

  it('removes a fill byte and a comment that let other readers see another frame', () => {
    const fake = Buffer.concat([Buffer.from([0xff]), jpegSegment(0xfe, tinyJpeg().subarray(2, 13))]);
    expect(() => cleanJpeg(tinyJpeg([fake], { width: 5_000 }))).toThrow(/^The picture must/);
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
