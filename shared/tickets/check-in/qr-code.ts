import { correction, generate } from 'lean-qr';
import { toPngBuffer } from 'lean-qr/extras/node_export';
import { toSvgSource } from 'lean-qr/extras/svg';
import { verifyCode } from './admissions.ts';

/**
 * Draws a check-in code as an SVG image. It verifies the code first, so the endpoint draws no other content.
 * @throws DomainError 400 for an invalid code
 */
export async function drawCodeAsSvg(code: string): Promise<string> {
  await verifyCode(code);
  return toSvgSource(generate(code, level), { pad: margin, off: '#ffffff', scale });
}

/** Draws a check-in code as a PNG image. It does not verify the code: pass only a code that was just signed. */
export function drawCodeAsPng(code: string): Buffer {
  return Buffer.from(toPngBuffer(generate(code, level), { pad: margin, off: [255, 255, 255], scale }));
}

/** Level M corrects a scratch or a reflection. */
const level = { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M };

/** The white margin that scanners need, in modules. */
const margin = 4;

/** The width of a module, in pixels. */
const scale = 6;
