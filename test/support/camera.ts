import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'lean-qr';
import { onTestFinished } from 'vitest';

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
