import { createHash, createHmac } from 'node:crypto';

/**
 * The draw of an event's queue: the order of the places that joined before it. Nobody can know it before the draw, since
 * the seed is secret and the public value does not exist yet; and everybody can check it afterwards. The organizer can't
 * choose the seed to suit the public value, since the commitment to it is published first.
 */
export interface DrawSource {
  /** 32 random bytes in hex, revealed after the draw. */
  seed: string;
  /** In hex: a block's hash that nobody knew while people joined. Empty when no chain answered. */
  publicValue: string;
}

const fromHex = (text: string) => Buffer.from(text, 'hex');

/** Returns the hash that is published before the draw, so that the seed can't be replaced. */
export function commitmentOf(seed: string): string {
  return createHash('sha256').update(fromHex(seed)).digest('hex');
}

/** Returns the ids of places in the order of the draw: the first has the number 1. The order of the input does not matter. */
export function drawOrder(placeIds: readonly string[], source: DrawSource): string[] {
  return drawPages(placeIds, source).flatMap(({ ids }) => ids);
}

/** The places of a page are sorted by their draws, and the pages divide all possible draws evenly. */
const placesPerPage = 500;

/** A page of the order: the ids of its places, of which the first has this number. */
export interface DrawPage {
  first: number;
  ids: string[];
}

/** Returns the number of pages for a number of places. */
export const countPages = (places: number) => Math.max(1, Math.ceil(places / placesPerPage));

/** Returns the order of the draw as pages. A page is found by a place's own draw, so no place stores its number. */
export function drawPages(placeIds: readonly string[], source: DrawSource): DrawPage[] {
  const key = drawKey(source);
  const pages = Array.from({ length: countPages(placeIds.length) }, (): [draw: string, id: string][] => []);
  for (const id of placeIds) {
    const draw = computeDraw(id, key);
    pages[pageOfDraw(draw, pages.length)]?.push([draw, id]);
  }
  let first = 1;
  return pages.map((places) => {
    places.sort(([one], [other]) => (one < other ? -1 : 1));
    const page = { first, ids: places.map(([, id]) => id) };
    first += page.ids.length;
    return page;
  });
}

/** Returns the index of the page with a place, if it was drawn. */
export function pageOf(placeId: string, source: DrawSource, pages: number): number {
  return pageOfDraw(computeDraw(placeId, drawKey(source)), pages);
}

const pageOfDraw = (draw: string, pages: number) =>
  Math.floor((Number.parseInt(draw.slice(0, 8), 16) * pages) / 2 ** 32);

const drawKey = ({ seed, publicValue }: DrawSource) =>
  createHash('sha256').update(fromHex(seed)).update(fromHex(publicValue)).digest();

/** Returns a place's draw in hex, whose order is that of its bytes. A million strings take less memory than buffers. */
const computeDraw = (placeId: string, key: Buffer) => createHmac('sha256', key).update(placeId).digest('hex');
