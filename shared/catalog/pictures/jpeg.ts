import { maximumSide, PictureRefused } from './picture.ts';

/** Of a progressive picture. Encoders make about ten; each takes the decoder as long as a pass over the whole picture. */
const maximumScans = 64;

const marker = { dht: 0xc4, soi: 0xd8, eoi: 0xd9, sos: 0xda, dqt: 0xdb, dri: 0xdd };

/** The application segments that are needed to draw a picture: of JFIF, colour profiles and Adobe's colours. */
const neededApplications = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);

/**
 * Returns a JPEG picture without what is not needed to draw it: comments, metadata such as the place where a photo was
 * taken, and what follows its first end marker. So the decoder sees the one frame whose size was checked.
 * @throws PictureRefused for anything but a JPEG, for a side of more than 4,000 pixels, and for more scans than pictures have
 */
export function cleanJpeg(bytes: Buffer): Buffer {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff00 + marker.soi) throw notJpeg();
  const kept = [bytes.subarray(0, 2)];
  let hasFrame = false;
  let scans = 0;
  for (let position = 2; position + 2 <= bytes.length; ) {
    if (bytes[position] !== 0xff) throw notJpeg();
    const kind = bytes[position + 1] as number;
    if (kind === marker.eoi && scans > 0)
      return Buffer.concat([...kept, bytes.subarray(position, position + 2)]);
    if (kind < 0xc0 || (kind >= 0xd0 && kind <= marker.eoi) || position + 4 > bytes.length) throw notJpeg();
    let end = position + 2 + bytes.readUInt16BE(position + 2);
    if (end > bytes.length) throw notJpeg();
    const segment = bytes.subarray(position, end);
    if (isFrame(kind)) {
      if (hasFrame) throw notJpeg();
      requireSize(segment);
      hasFrame = true;
    }
    if (kind === marker.sos) {
      if (!hasFrame) throw notJpeg();
      if (++scans > maximumScans)
        throw new PictureRefused(`The picture must have at most ${maximumScans} scans`);
      end = endOfScan(bytes, end);
    }
    if (isNeeded(kind, segment)) kept.push(bytes.subarray(position, end));
    position = end;
  }
  throw notJpeg();
}

/** The frames that browsers draw: baseline, extended and progressive. */
const isFrame = (kind: number) => kind >= 0xc0 && kind <= 0xc2;

function isNeeded(kind: number, segment: Buffer): boolean {
  if ([marker.dht, marker.sos, marker.dqt, marker.dri].includes(kind) || isFrame(kind)) return true;
  const application = neededApplications.get(kind);
  return application !== undefined && segment.subarray(4).toString('latin1').startsWith(application);
}

/**
 * Returns where the marker after a scan begins. In the scan itself, 0xff is followed by 0, by the number of a restart, or by
 * another 0xff that fills up.
 * @throws PictureRefused when no marker follows
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let position = bytes.indexOf(0xff, start); position !== -1; ) {
    const next = bytes[position + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return position;
    position = bytes.indexOf(0xff, position + 1);
  }
  throw notJpeg();
}

/** @param frame the segment with height and width */
function requireSize(frame: Buffer): void {
  if (frame.length < 9) throw notJpeg();
  const [height, width] = [frame.readUInt16BE(5), frame.readUInt16BE(7)];
  if (height === 0 || width === 0 || Math.max(height, width) > maximumSide)
    throw new PictureRefused(`The picture must have sides of 1 to ${maximumSide} pixels`);
}

const notJpeg = () => new PictureRefused('The picture must be a JPEG');
