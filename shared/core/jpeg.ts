import { invalid } from './errors.ts';

/** The longest side of an accepted picture, in pixels: decoding a larger one takes a phone seconds. */
const maximumSide = 4_000;

const marker = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  app0: 0xe0,
  app2: 0xe2,
  app14: 0xee,
  app15: 0xef,
  comment: 0xfe,
};

/**
 * Returns a JPEG picture without what is not needed to draw it: comments, and metadata such as the place where a photo was
 * taken. Its colour profile stays.
 * @throws DomainError 400 for anything but a JPEG, and for a side of more than 4,000 pixels
 */
export function cleanJpeg(bytes: Buffer): Buffer {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff00 + marker.soi) throw notJpeg();
  const kept = [bytes.subarray(0, 2)];
  let hasFrame = false;
  for (let position = 2; position + 4 <= bytes.length; ) {
    if (bytes[position] !== 0xff) throw notJpeg();
    const kind = bytes[position + 1] as number;
    const end = position + 2 + bytes.readUInt16BE(position + 2);
    if (end > bytes.length) throw notJpeg();
    if (isFrame(kind)) {
      requireSize(bytes.subarray(position, end));
      hasFrame = true;
    }
    if (kind === marker.sos) {
      // The picture itself follows, up to the last end marker. What comes after it is cut off.
      const endOfImage = bytes.lastIndexOf(Buffer.from([0xff, marker.eoi]));
      if (!hasFrame || endOfImage < end) throw notJpeg();
      return Buffer.concat([...kept, bytes.subarray(position, endOfImage + 2)]);
    }
    if (!isMetadata(kind)) kept.push(bytes.subarray(position, end));
    position = end;
  }
  throw notJpeg();
}

/** The frames that browsers draw: baseline, extended and progressive. */
const isFrame = (kind: number) => kind >= 0xc0 && kind <= 0xc2;

/** The segments of JFIF, colour profiles and Adobe's colours are needed to draw the picture. */
function isMetadata(kind: number): boolean {
  const isNeeded = [marker.app0, marker.app2, marker.app14].includes(kind);
  return kind === marker.comment || (kind >= marker.app0 && kind <= marker.app15 && !isNeeded);
}

/** @param frame the segment with height and width */
function requireSize(frame: Buffer): void {
  if (frame.length < 9) throw notJpeg();
  const [height, width] = [frame.readUInt16BE(5), frame.readUInt16BE(7)];
  if (height === 0 || width === 0 || Math.max(height, width) > maximumSide)
    throw invalid(`The picture must have sides of 1 to ${maximumSide} pixels`);
}

const notJpeg = () => invalid('The picture must be a JPEG');
