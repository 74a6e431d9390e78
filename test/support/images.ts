import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import jsQR from 'jsqr';
import { generate } from 'lean-qr';
import { PNG } from 'pngjs';
import { onTestFinished } from 'vitest';

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

/** Decodes the SVG in a data URI. @throws Error for another URI */
export function svgOf(dataUri: string): string {
  const [, base64] = /^data:image\/svg\+xml;base64,([A-Za-z0-9+/=]+)$/.exec(dataUri) ?? [];
  if (!base64) throw new Error(`Not an SVG data URI: ${dataUri.slice(0, 80)}`);
  return Buffer.from(base64, 'base64').toString();
}

const [width, height] = [640, 480];
const framesPerSecond = 5;
const grey = 90;
/** The width of the light margin around a QR code, in its modules. */
const quietZone = 4;

/**
 * Creates a film for Chromium's fake camera, which repeats it. Each scene shows the QR code of its text, or an empty
 * picture for an empty text. @returns the file, which is removed after the test
 */
export function createFilm(scenes: readonly { text: string; seconds: number }[]): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-camera-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'film.y4m');
  const parts: Buffer[] = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`),
  ];
  for (const { text, seconds } of scenes) {
    const frame = Buffer.concat([Buffer.from('FRAME\n'), drawFrame(text)]);
    for (let count = 0; count < seconds * framesPerSecond; count++) parts.push(frame);
  }
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

/** Draws a frame in YUV 4:2:0: the brightness of each pixel, then two colour planes, which stay neutral. */
function drawFrame(text: string): Buffer {
  const frame = Buffer.alloc((width * height * 3) / 2, 128);
  frame.fill(grey, 0, width * height);
  if (!text) return frame;
  const modules = generate(text);
  const modulesPerEdge = modules.size + 2 * quietZone;
  const scale = Math.floor((height * 0.8) / modulesPerEdge);
  const edge = scale * modulesPerEdge;
  const [left, top] = [Math.floor((width - edge) / 2), Math.floor((height - edge) / 2)];
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      const [column, row] = [Math.floor(x / scale) - quietZone, Math.floor(y / scale) - quietZone];
      frame[(top + y) * width + left + x] = modules.get(column, row) ? 16 : 235;
    }
  }
  return frame;
}

/** Decodes the QR code of a picture with a third-party reader. @param png a PNG file */
export function readQrCodeOfPicture(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
}
