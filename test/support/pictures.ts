import { randomBytes } from 'node:crypto';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { credentials, region } from '../../infra/local/services/aws.ts';
import { eventually } from './eventually.ts';
import { type Caller, expectStatus } from './fixtures.ts';
import { call } from './http.ts';
import { sharedStack } from './stack.ts';

/** Pictures, and their uploads to the shared stack's bucket. */

/** The answer to a request for an upload. */
export interface Upload {
  url: string;
  fields: Record<string, string>;
  imageUrl: string;
}

type Color = readonly [red: number, green: number, blue: number];

/** Encodes a picture of one color. */
export function createPng(
  width: number,
  height = width,
  color: Color = [0x0b, 0x6e, 0x4f],
  opacity = 255,
): Buffer {
  const png = new PNG({ width, height });
  for (let pixel = 0; pixel < width * height; pixel++) png.data.set([...color, opacity], 4 * pixel);
  return PNG.sync.write(png);
}

/** Encodes a picture of random black and white pixels, which a JPEG takes the most bytes for. */
export function createNoise(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  const random = randomBytes(width * height);
  for (let pixel = 0; pixel < random.length; pixel++) {
    const grey = (random[pixel] as number) > 127 ? 255 : 0;
    png.data.set([grey, grey, grey, 255], 4 * pixel);
  }
  return PNG.sync.write(png, { colorType: 0 });
}

/** Encodes a picture whose left half is red, and whose right half is blue. */
export function createJpeg(width: number, height: number): Buffer {
  const data = Buffer.alloc(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set(pixel % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], 4 * pixel);
  return jpeg.encode({ width, height, data }, 80).data;
}

/** Adds a segment with Exif data to a JPEG. @param orientation 1 to 8 */
export function withExif(picture: Buffer, orientation: number, text: string): Buffer {
  const directory = [
    0x49,
    0x49,
    0x2a,
    0,
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    1,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const content = Buffer.concat([Buffer.from('Exif\0\0'), Buffer.from(directory), Buffer.from(text)]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([picture.subarray(0, 2), head, content, picture.subarray(2)]);
}

export const decodeJpeg = (bytes: Buffer) => jpeg.decode(bytes, { formatAsRGBA: true });

/** Asks for the upload of an event's picture. */
export async function requestUpload(organizer: Caller, eventId: string, type = 'image/png'): Promise<Upload> {
  return expectStatus(201, await organizer.post(`/api/events/${eventId}/image`, { type }));
}

/** Posts a file as a browser does. @param changes of the form's fields; undefined removes a field */
export function postFile(
  { url, fields }: Upload,
  file: Buffer,
  changes: Record<string, string | undefined> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...changes }))
    if (value !== undefined) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]));
  return fetch(url, { method: 'POST', body: form });
}

/** Uploads the picture of an event, and waits until the event shows it. @returns its address */
export async function uploadPicture(
  organizer: Caller,
  eventId: string,
  file: Buffer,
  type?: string,
): Promise<string> {
  const upload = await requestUpload(organizer, eventId, type);
  if (!(await postFile(upload, file)).ok) throw new Error('The bucket refused the picture');
  await eventually('the event shows its picture', async () => {
    const { event } = expectStatus(200, await organizer.get(`/api/events/${eventId}`));
    return event.imageUrl === upload.imageUrl;
  });
  return upload.imageUrl;
}

/** Reads a picture in a width. */
export const readPicture = (imageUrl: string, width = 1600) =>
  call('GET', new URL(imageUrl).pathname.replace(/1600$/, `${width}`));

const bucket = () => ({ Bucket: sharedStack().bucketName });
const s3 = () => new S3Client({ endpoint: sharedStack().s3Url, region, credentials });

/** Lists the objects of an owner: its uploads and its pictures. */
export async function listObjects(ownerId: string): Promise<string[]> {
  const listed = await Promise.all(
    ['uploads', 'pictures'].map((folder) =>
      s3().send(new ListObjectsV2Command({ ...bucket(), Prefix: `${folder}/${ownerId}/` })),
    ),
  );
  return listed.flatMap(({ Contents = [] }) => Contents.map(({ Key }) => Key ?? ''));
}

export const putObject = (key: string, bytes: Buffer) =>
  s3().send(new PutObjectCommand({ ...bucket(), Key: key, Body: bytes, ContentType: 'image/jpeg' }));

/** Waits until an upload has been processed or refused. */
export const awaitProcessed = ({ fields: { key = '' } }: Upload) =>
  eventually(`${key} is processed`, async () => !(await listObjects(key.split('/')[1] ?? '')).includes(key));

/** Builds the segments of a JPEG of 1 × 1 pixels. @param segments more segments, before the frame */
export function tinyJpeg(segments: Buffer[] = [], { width = 1, height = 1 } = {}): Buffer {
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments,
    jpegSegment(0xc0, frame),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x00, 0xff, 0xd9]),
  ]);
}

/** Returns a segment of a JPEG with its marker and length. */
export function jpegSegment(marker: number, content: Buffer): Buffer {
  const length = content.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), content]);
}
