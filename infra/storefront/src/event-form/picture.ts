import type { PictureUpload } from 'boxoffice-client';
import { Refused } from '../errors.ts';
import { Unreachable } from '../session/session.ts';
import { t } from '../texts/form.ts';

/** The longest side of an uploaded picture, in pixels: the largest width in which the service shows it. */
const maximumSide = 1_600;

/**
 * Draws a picture as a JPEG. Nothing else of the file is kept.
 * @returns a data URL, since the content security policy allows no blob: addresses
 * @throws Refused for a file that the browser can't draw
 */
export async function toJpeg(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Refused(t('about.noPicture'));
  });
  const scale = Math.min(1, maximumSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  // A JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.9);
}

/** How often the service is asked whether it has processed a picture, once a second. It mostly takes two. */
const maximumPolls = 20;

/**
 * Uploads a picture, and waits until it is shown.
 * @param dataUrl from `toJpeg`
 * @param request asks for the upload
 * @param readAddress reads the address of the picture that is shown
 * @throws Refused when the picture is refused, or not shown in time; HttpError and Unreachable as the requests do
 */
export async function uploadPicture(
  dataUrl: string,
  request: (body: { type: 'image/jpeg' }) => Promise<PictureUpload>,
  readAddress: () => Promise<string | null>,
): Promise<void> {
  const { url, fields, imageUrl } = await request({ type: 'image/jpeg' });
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const data = atob(dataUrl.slice(dataUrl.indexOf(',') + 1));
  form.append('file', new Blob([Uint8Array.from(data, (character) => character.charCodeAt(0))]));
  const answer = await fetch(url, { method: 'POST', body: form }).catch(() => {
    throw new Unreachable();
  });
  if (!answer.ok) throw new Refused(t('about.refused'));
  for (let poll = 0; poll < maximumPolls; poll++) {
    if ((await readAddress()) === imageUrl) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Refused(t('about.notShown'));
}
