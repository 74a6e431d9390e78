import QRCode from 'qrcode';
import { verifyCode } from './check-in-code.ts';

/**
 * Draws a check-in code as an SVG image. It verifies the code first, so that the endpoint draws no other content.
 * @throws DomainError 400 for an invalid code
 */
export async function drawCodeAsSvg(code: string): Promise<string> {
  await verifyCode(code);
  return QRCode.toString(code, { ...qrOptions, type: 'svg' });
}

/** Draws a check-in code as a PNG image. It does not verify the code: pass only a code that was just signed. */
export function drawCodeAsPng(code: string): Promise<Buffer> {
  return QRCode.toBuffer(code, { ...qrOptions, type: 'png', scale: 6, rendererOpts: pngOptions });
}

/**
 * Most rows of a QR code's image equal the row above, so pngjs need not try the other filters (PNG filter 2), and zlib's
 * fastest level compresses well enough: about 4 KB an image.
 */
const pngOptions = { filterType: 2, deflateLevel: 1, deflateStrategy: 0 };

/** Level M corrects a scratch or a reflection; scanners need a margin of 4 modules. */
const qrOptions = { errorCorrectionLevel: 'M', margin: 4 } as const;
