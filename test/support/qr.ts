import jsQR from 'jsqr';
import { PNG } from 'pngjs';

const pixelsPerModule = 4;

/** Decodes a QR code from its SVG image with a third-party reader. */
export function readQrCode(svg: string): string | undefined {
  const [, margin = 0, size = 0] = (/viewBox="-(\d+) -\d+ (\d+) \d+"/.exec(svg) ?? []).map(Number);
  const width = size * pixelsPerModule;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [x, y] of darkModules(svg)) {
    const [left, top] = [(x + margin) * pixelsPerModule, (y + margin) * pixelsPerModule];
    for (let row = top; row < top + pixelsPerModule; row++) {
      for (let column = left; column < left + pixelsPerModule; column++) {
        pixels.set([0, 0, 0], (row * width + column) * 4);
      }
    }
  }
  return jsQR.default(pixels, width, width)?.data;
}

/** Yields the coordinates of the dark modules, whose outlines the image draws as polygons. */
function* darkModules(svg: string): Generator<[number, number]> {
  const path = /<path d="([^"]+)"/.exec(svg)?.[1] ?? '';
  const verticalEdges = [...path.matchAll(/M([^Z]+)Z/g)].flatMap(([, polygon = '']) => {
    const points = polygon.split('L').map((point) => point.split(' ').map(Number) as [number, number]);
    return points.flatMap(([x, y], index) => {
      const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
      const rows = Array.from({ length: Math.abs(nextY - y) }, (_, row) => Math.min(y, nextY) + row);
      return x === nextX ? rows.map((row) => ({ x, row })) : [];
    });
  });
  for (const [row, edges] of Map.groupBy(verticalEdges, (edge) => edge.row)) {
    const crossings = edges.map(({ x }) => x).sort((a, b) => a - b);
    for (let index = 0; index < crossings.length; index += 2) {
      for (let x = crossings[index] ?? 0; x < (crossings[index + 1] ?? 0); x++) yield [x, row];
    }
  }
}

/** Decodes a QR code from its PNG image with a third-party reader. */
export function readQrPng(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
}
