import { imageSize } from 'image-size';
import { expect, it } from 'vitest';
import { isDecoderWornOut, PictureRefused, resizePicture } from '../../../shared/catalog/pictures/resize.ts';
import { createJpeg, createPng, decodeJpeg, withExif } from '../../support/pictures.ts';

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
