import { PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon';
import { imageSize } from 'image-size';
import { cleanJpeg } from './jpeg.ts';
import { maximumSide, PictureRefused, type Width, widths } from './picture.ts';

/** From the best on: a picture of noise takes the next one, so that a function can answer it. */
const qualities = [82, 60, 40, 20];
/** A response of Lambda has at most 6 MB, and is encoded as base64. */
const maximumBytes = 4_000_000;

/**
 * Makes the JPEGs of an upload, one for each width. They are drawn anew, so nothing else of the file is kept: no place where
 * a photo was taken, and nothing that follows the picture. Transparent parts become white, and a turned photo is upright.
 * @throws PictureRefused for anything but a JPEG, PNG or WebP, and for a side of more than 4,000 pixels
 */
export function resizePicture(bytes: Buffer): { width: Width; jpeg: Uint8Array }[] {
  const type = typeOf(bytes);
  if (!type) throw new PictureRefused('The upload is not a JPEG, PNG or WebP');
  // Before anything is decoded, since a small file may unpack to gigabytes.
  const { orientation = 1 } = requireSize(bytes);
  if (type === 'webp') for (const frame of framesOf(bytes)) requireSize(frame);
  using decoded = decode(type === 'jpeg' ? cleanJpeg(bytes) : bytes);
  const shownWidth = isTurned(orientation) ? decoded.get_height() : decoded.get_width();
  using scaled = scale(decoded, Math.max(...widths) / shownWidth);
  using upright = drawUpright(scaled, orientation);
  return widths.map((each) => {
    using resized = scale(upright, each / upright.get_width());
    return { width: each, jpeg: encode(resized) };
  });
}

/** Returns the type that the first bytes of a file state. */
function typeOf(bytes: Buffer): 'jpeg' | 'png' | 'webp' | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return /^RIFF.{4}WEBP$/s.test(start) ? 'webp' : undefined;
}

function requireSize(bytes: Buffer): ReturnType<typeof imageSize> {
  const size = readSize(bytes);
  const sides = [size.width, size.height];
  if (Math.min(...sides) < 1 || Math.max(...sides) > maximumSide)
    throw new PictureRefused(`A side of the picture does not have 1 to ${maximumSide} pixels`);
  return size;
}

/** An animation has few; reading many takes a worker's time, since each is a file for the reader. */
const maximumFrames = 500;

const webpHeader = Buffer.from('RIFF\0\0\0\0WEBP');

/**
 * Yields the frames of a WebP, each as a file of its own. A frame may be larger than the file's header says, and the decoder
 * allocates what the frame needs.
 * https://developers.google.com/speed/webp/docs/riff_container
 * @throws PictureRefused for too many frames, and for a frame in a frame
 */
function framesOf(bytes: Buffer): Buffer[] {
  const frames = chunksOf(bytes, 12).flatMap((chunk) => (isFrame(chunk) ? chunksOf(chunk, 24) : [chunk]));
  if (frames.length > maximumFrames || frames.some(isFrame)) throw tooManyFrames();
  return frames
    .filter((chunk) => ['VP8 ', 'VP8L'].includes(chunk.toString('latin1', 0, 4)))
    .map((chunk) => Buffer.concat([webpHeader, chunk]));
}

const tooManyFrames = () => new PictureRefused('The picture has too many frames');

/** Whether a chunk is a frame of an animation, which contains chunks itself. */
const isFrame = (chunk: Buffer) => chunk.toString('latin1', 0, 4) === 'ANMF';

function chunksOf(bytes: Buffer, start: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let position = start; position + 8 <= bytes.length; ) {
    if (chunks.length === maximumFrames) throw tooManyFrames();
    const length = bytes.readUInt32LE(position + 4);
    chunks.push(bytes.subarray(position, position + 8 + length));
    position += 8 + length + (length % 2);
  }
  return chunks;
}

function readSize(bytes: Buffer): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes);
  } catch (error) {
    throw new PictureRefused('The size of the picture can’t be read', { cause: error });
  }
}

function decode(bytes: Buffer): PhotonImage {
  try {
    return PhotonImage.new_from_byteslice(bytes);
  } catch (error) {
    aborts++;
    throw new PictureRefused('The picture is damaged', { cause: error });
  }
}

function encode(picture: PhotonImage): Uint8Array {
  for (const quality of qualities) {
    const jpeg = picture.get_bytes_jpeg(quality);
    if (jpeg.length <= maximumBytes) return jpeg;
  }
  throw new PictureRefused('The picture takes too many bytes');
}

/** Scales a picture, but never enlarges it. */
function scale(picture: PhotonImage, factor: number): PhotonImage {
  const scaled = (side: number) => Math.max(1, Math.round(side * Math.min(1, factor)));
  const [width, height] = [scaled(picture.get_width()), scaled(picture.get_height())];
  return resize(picture, width, height, SamplingFilter.Lanczos3);
}

/** The Exif orientations 5 to 8 swap the sides. */
const isTurned = (orientation: number) => orientation >= 5;

/** Draws a picture upright on white. @param orientation 1 to 8, as Exif defines them */
function drawUpright(picture: PhotonImage, orientation: number): PhotonImage {
  const [width, height] = [picture.get_width(), picture.get_height()];
  const [shownWidth, shownHeight] = isTurned(orientation) ? [height, width] : [width, height];
  const pixels = picture.get_raw_pixels();
  const drawn = new Uint8Array(pixels.length);
  let target = 0;
  for (let y = 0; y < shownHeight; y++) {
    for (let x = 0; x < shownWidth; x++) {
      const [column, row] = isTurned(orientation) ? [y, x] : [x, y];
      const sourceX = [2, 3, 7, 8].includes(orientation) ? width - 1 - column : column;
      const sourceY = [3, 4, 6, 7].includes(orientation) ? height - 1 - row : row;
      const source = 4 * (sourceY * width + sourceX);
      const alpha = (pixels[source + 3] as number) / 255;
      for (let color = 0; color < 3; color++)
        drawn[target++] = Math.round(255 + alpha * ((pixels[source + color] as number) - 255));
      drawn[target++] = 255;
    }
  }
  return new PhotonImage(drawn, shownWidth, shownHeight);
}

/**
 * How often the decoder may abort. Each time, WebAssembly loses some of its stack and the picture's bytes, and it can't be
 * restarted in the same process: after thousands of times it would refuse every picture.
 */
const maximumAborts = 50;
let aborts = 0;

/** Returns whether another process should decode the next pictures. */
export const isDecoderWornOut = () => aborts >= maximumAborts;
