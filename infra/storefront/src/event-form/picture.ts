import { Refused } from '../errors.ts';
import { t } from '../texts/form.ts';

/** The API's maximum length of a picture, in bytes. */
const maximumBytes = 180 * 1024;

/**
 * Draws a picture as a JPEG that the API accepts, with sides of at most 1,600 pixels. Nothing else of the file is kept.
 * @returns a data URL
 * @throws Refused for a file that the browser can't draw
 */
export async function toJpeg(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Refused(t('about.noPicture'));
  });
  for (const side of [1_600, 1_200, 900]) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    // A JPEG has no transparency.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.85, 0.75, 0.6]) {
      const url = canvas.toDataURL('image/jpeg', quality);
      if (dataOf(url).length <= Math.floor(maximumBytes / 3) * 4) return url;
    }
  }
  throw new Refused(t('about.tooDetailed'));
}

/** Returns the base64 data of a data URL. */
export function dataOf(url: string): string {
  return url.slice(url.indexOf(',') + 1);
}
