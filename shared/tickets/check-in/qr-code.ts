import { crc32, deflateSync } from 'node:zlib';
import { correction, generate } from 'lean-qr';
import { toSvgPath, toSvgSource } from 'lean-qr/extras/svg';
import { verifyCode } from './admissions.ts';

/**
 * Draws a check-in code as an SVG image. It verifies the code first, so the endpoint draws no other content.
 * @throws DomainError 400 for an invalid code
 */
export async function drawCodeAsSvg(code: string): Promise<string> {
  await verifyCode(code);
  return toSvgSource(generate(code, level), { pad: margin, off: '#ffffff', scale });
}

/**
 * Draws a check-in code as an SVG path without a margin. It does not verify the code: pass only a code that was just
 * signed.
 * @returns the path, and its width and height in modules
 */
export function drawCodeAsPath(code: string): { path: string; size: number } {
  const symbol = generate(code, level);
  return { path: toSvgPath(symbol), size: symbol.size };
}

/** Draws a check-in code as a PNG image. It does not verify the code: pass only a code that was just signed. */
export function drawCodeAsPng(code: string): Buffer {
  const symbol = generate(code, level);
  const width = (symbol.size + 2 * margin) * scale;
  // Each row begins with its filter: 2 repeats the row above, so that a row of modules is drawn once.
  const rowBytes = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(rowBytes * width);
  for (let y = 0; y < width; y++) rows[y * rowBytes] = y % scale === 0 ? 0 : 2;
  for (let row = -margin; row < symbol.size + margin; row++) {
    const start = (row + margin) * scale * rowBytes + 1;
    rows.fill(0xff, start, start + rowBytes - 1);
    for (let x = 0; x < width; x++) {
      if (!symbol.get(Math.floor(x / scale) - margin, row)) continue;
      const byte = start + (x >> 3);
      rows[byte] = (rows[byte] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  return Buffer.concat([pngSignature, ...pngChunks(width, deflateSync(rows, { level: 6 }))]);
}

const pngSignature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Returns the chunks of a square picture with one bit a pixel: 0 is black, 1 is white. */
function pngChunks(width: number, rows: Buffer): Buffer[] {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header[8] = 1;
  return [toChunk('IHDR', header), toChunk('IDAT', rows), toChunk('IEND', Buffer.alloc(0))];
}

function toChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}

/** Level M corrects a scratch or a reflection. */
const level = { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M };

/** The white margin that scanners need, in modules. */
const margin = 4;

/** The width of a module, in pixels. */
const scale = 6;
