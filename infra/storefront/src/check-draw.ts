import { getDraw, ok } from 'boxoffice-client';
import { send } from './session/session.ts';

/** A draw that was computed again. `number` is that of the visitor's place. */
export interface CheckedDraw {
  isCorrect: boolean;
  count: number;
  number: number | undefined;
}

/**
 * Computes the draw of a queue again from its public values, as docs/verify-draw.mjs does.
 * @param commitment as it was published before the draw
 */
export async function checkDraw(eventId: string, placeId: string, commitment: string): Promise<CheckedDraw> {
  let draw = await ok(getDraw(eventId, {}, { fetch: send }));
  const { seed, publicValue, count, pages } = draw;
  const secret = await sha256(fromHex(seed + publicValue));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  let isCorrect = toHex(await sha256(fromHex(seed))) === commitment;
  let previous = '';
  let checked = 0;
  let number: number | undefined;
  for (let page = 1; page <= pages; page++) {
    if (page > 1) draw = await ok(getDraw(eventId, { page }, { fetch: send }));
    const draws = await Promise.all(
      draw.places.map(({ id }) => crypto.subtle.sign('HMAC', key, new TextEncoder().encode(id))),
    );
    for (const [index, place] of draw.places.entries()) {
      const value = toHex(draws[index] as ArrayBuffer);
      checked++;
      isCorrect &&= value > previous && place.number === checked;
      previous = value;
      if (place.id === placeId) number = place.number;
    }
  }
  return { isCorrect: isCorrect && checked === count, count, number };
}

const sha256 = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest('SHA-256', bytes);

const fromHex = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
