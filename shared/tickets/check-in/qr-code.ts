import QRCode from 'qrcode';
import { verifyCode } from './check-in-code.ts';

/**
 * Draws a check-in code as an SVG image. It verifies the code first, so that the endpoint draws no other content.
 * @throws DomainError 400 for an invalid code
 */
export async function drawCode(code: string): Promise<string> {
  await verifyCode(code);
  return QRCode.toString(code, { ...appearance, type: 'svg' });
}

/** Draws a code that was just signed as a PNG image, black on white. */
export function drawCodeAsPng(code: string): Promise<Buffer> {
  return QRCode.toBuffer(code, { ...appearance, type: 'png', scale: 6 });
}

/** Level M corrects a scratch or a reflection; scanners need a margin of 4 modules. */
const appearance = { errorCorrectionLevel: 'M', margin: 4 } as const;
