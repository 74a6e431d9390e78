import { imageSize } from 'image-size';
import { describe, expect, it } from 'vitest';
import { PictureRefused } from '../../../shared/catalog/pictures/picture.ts';
import { isDecoderWornOut, resizePicture } from '../../../shared/catalog/pictures/resize.ts';
import { createJpeg, createNoise, createPng, decodeJpeg, withExif } from '../../support/pictures.ts';

const sizesOf = (picture: Buffer) =>
  resizePicture(picture).map(({ jpeg }) => {
    const { width, height } = imageSize(jpeg);
    return [width, height];
  });

it('makes the three widths, and never enlarges', () => {
  expect(sizesOf(createPng(3_200, 10))).toEqual([
    [400, 1],
    [800, 3],
    [1600, 5],
  ]);
  expect(sizesOf(createPng(500, 100))).toEqual([
    [400, 80],
    [500, 100],
    [500, 100],
  ]);
  expect(sizesOf(createPng(1))).toEqual(Array(3).fill([1, 1]));
});

it.each([
  // The left half is red: where it is after each turn of Exif.
  [1, 'left'],
  [2, 'right'],
  [3, 'right'],
  [4, 'left'],
  [5, 'top'],
  [6, 'top'],
  [7, 'bottom'],
  [8, 'bottom'],
])('draws a photo of orientation %i upright', (orientation, expected) => {
  const [{ jpeg } = { jpeg: new Uint8Array() }] = resizePicture(
    withExif(createJpeg(80, 40), orientation, ''),
  );
  const { width, height, data } = decodeJpeg(Buffer.from(jpeg));
  const isRed = (x: number, y: number) => (data[4 * (y * width + x)] ?? 0) > 128;
  const found = {
    left: isRed(2, height / 2),
    right: isRed(width - 3, height / 2),
    top: isRed(width / 2, 2),
    bottom: isRed(width / 2, height - 3),
  };
  expect(found[expected as keyof typeof found]).toBe(true);
  const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;
  expect(found[opposite[expected as keyof typeof found]]).toBe(false);
  expect(width > height).toBe(['left', 'right'].includes(expected));
});

describe('a WebP', () => {
  const picture = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
  const frame = Buffer.from(picture.subarray(12));
  const huge = Buffer.from(frame);
  huge.writeUInt16LE(16_383, 14);
  huge.writeUInt16LE(16_383, 16);
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.from(`${name}....`);
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content]);
  };
  /** An extended WebP that says it has 1 × 1 pixels. */
  const extended = (flags: number, ...chunks: Buffer[]) =>
    chunk(
      'RIFF',
      Buffer.concat([
        Buffer.from('WEBP'),
        chunk('VP8X', Buffer.from([flags, ...Array(9).fill(0)])),
        ...chunks,
      ]),
    );

  it('may be an extended one', () => {
    expect(sizesOf(extended(0, frame))[0]).toEqual([1, 1]);
  });

  const animated = (content: Buffer) => chunk('ANMF', Buffer.concat([Buffer.alloc(16), content]));

  it('is refused when it has many frames, or frames in frames', () => {
    const files = [
      extended(2, ...Array(501).fill(frame)),
      extended(2, animated(Buffer.concat(Array(501).fill(frame)))),
      extended(2, ...Array(501).fill(animated(Buffer.alloc(0))), huge),
      extended(2, animated(animated(frame))),
    ];
    for (const file of files) expect(() => resizePicture(file)).toThrow('The picture has too many frames');
  });

  it('is refused before it is decoded when a frame is larger than the header says', () => {
    const animation = (content: Buffer) => [chunk('ANIM', Buffer.alloc(6)), animated(content)];
    for (const file of [extended(0, huge), extended(2, ...animation(huge))])
      expect(() => resizePicture(file)).toThrow('A side of the picture does not have 1 to 4000 pixels');
  });
});

it('fits into a response of Lambda, also when it is noise', () => {
  const drawn = resizePicture(createNoise(1_600, 4_000));
  // 6 MB, encoded as base64.
  expect(drawn.map(({ jpeg }) => jpeg.length).filter((length) => length > 4_500_000)).toEqual([]);
});

it('shows transparent parts on white', () => {
  const png = createPng(20, 20, [0, 0, 0], 0);
  const [first] = resizePicture(png);
  expect([...decodeJpeg(Buffer.from(first?.jpeg ?? [])).data.subarray(0, 3)]).toEqual([255, 255, 255]);
});

it('needs another process after fifty damaged pictures, and works until then', () => {
  const damaged = createPng(300).subarray(0, 200);
  for (let count = 0; count < 50; count++) {
    expect(isDecoderWornOut()).toBe(false);
    expect(() => resizePicture(damaged)).toThrow(PictureRefused);
  }
  expect(isDecoderWornOut()).toBe(true);
  expect(sizesOf(createPng(10))).toHaveLength(3);
});
