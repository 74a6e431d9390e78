import QRCode from 'qrcode';
import { openCode } from './code.ts';

/**
 * Draws a check-in code as an SVG image. It verifies the code first, so that nobody can draw other content with it.
 * @throws DomainError 400 for an invalid code, 409 for an expired one
 */
export async function drawCode(code: string): Promise<string> {
  await openCode(code);
  // Level M corrects a scratch or a reflection; scanners need a margin of 4 modules.
  return QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
