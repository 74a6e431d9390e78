import QRCode from 'qrcode';
import { openCode } from './code.ts';

/**
 * A check-in code as an SVG image. Only for codes of ours: this draws nothing else for anybody.
 * @throws DomainError 400 for a code that is not ours, 409 for one that has ended
 */
export async function drawCode(code: string): Promise<string> {
  await openCode(code);
  // Level M bears a scratch or a reflection; the margin of 4 is what readers need around a code.
  return QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
