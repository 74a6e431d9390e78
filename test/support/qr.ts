import jsQR from 'jsqr';
import { PNG } from 'pngjs';

const pixelsPerModule = 4;

/** Decodes a QR code from its SVG image with a third-party reader. */
export function readQrCode(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1]);
  const width = size * pixelsPerModule;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [x, y] of darkModules(svg)) {
    for (let row = y * pixelsPerModule; row < (y + 1) * pixelsPerModule; row++) {
      for (let column = x * pixelsPerModule; column < (x + 1) * pixelsPerModule; column++) {
        pixels.set([0, 0, 0], (row * width + column) * 4);
      }
    }
  }
  return jsQR.default(pixels, width, width)?.data;
}

/** Yields the coordinates of the dark modules, which the image draws as horizontal strokes. */
function* darkModules(svg: string): Generator<[number, number]> {
  const path = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  let [x, y] = [0, 0];
  for (const [, command, first, second] of path.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    const [a, b] = [Number(first), Number(second ?? 0)];
    if (command === 'M') [x, y] = [a, b];
    else if (command === 'm') [x, y] = [x + a, y + b];
    else for (const end = x + a; x < end; x++) yield [x, Math.floor(y)];
  }
}

/** Decodes a QR code from its PNG image with a third-party reader. */
export function readQrPng(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
}
