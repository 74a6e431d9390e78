import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { put, write } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import { addStaff, expectStatus, openSale, registerUser, type Sale } from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import {
  awaitProcessed,
  createJpeg,
  createPng,
  decodeJpeg,
  listObjects,
  postFile,
  putObject,
  readPicture,
  requestUpload,
  type Upload,
  uploadPicture,
  withExif,
} from '../support/pictures.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

let sale: Sale;
beforeAll(async () => {
  sale = await openSale();
});

const readImageUrl = async ({ organizer, event }: Sale) =>
  expectStatus(200, await organizer.get(`/api/events/${event.id}`)).event.imageUrl;
const toJpeg = (body: string) => decodeJpeg(Buffer.from(body, 'latin1'));
const picturesOf = (upload: Upload) =>
  [1600, 400, 800].map((width) => `${upload.fields.key?.replace('uploads', 'pictures')}/${width}.jpg`);
/** Delivers the message about an upload once more. */
const deliverAgain = ({ fields }: Upload) =>
  sharedStack().invoke<{ batchItemFailures: object[] }>('workers-resize-pictures', {
    Records: [
      { messageId: '1', attributes: {}, body: JSON.stringify({ type: 'resize-picture', key: fields.key }) },
    ],
  });

describe('a picture', () => {
  it('is shown in three widths once it is processed, at addresses that may be cached for ever', async () => {
    const { organizer, event } = sale;
    const upload = await requestUpload(organizer, event.id);
    expect(await readImageUrl(sale)).toBe('');
    expect((await readPicture(upload.imageUrl)).status).toBe(404);
    expect((await postFile(upload, createPng(2_000, 1_125))).status).toBe(204);
    await awaitProcessed(upload);
    expect(await readImageUrl(sale)).toBe(upload.imageUrl);
    for (const width of [400, 800, 1600]) {
      const answer = await readPicture(upload.imageUrl, width);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const decoded = toJpeg(answer.body);
      expect([decoded.width, decoded.height]).toEqual([width, (width * 9) / 16]);
      expect([...decoded.data.subarray(0, 3)].map((value) => Math.round(value / 16))).toEqual([1, 7, 5]);
    }
    expect((await readPicture(upload.imageUrl, 1200)).status).toBe(400);
    expect(await listObjects(event.id)).toEqual(picturesOf(upload));
  });

  it('replaces the previous one, and both that an interrupted upload left', async () => {
    const { organizer, event } = await openSale();
    const first = await uploadPicture(organizer, event.id, createPng(20));
    await putObject(`pictures/${event.id}/c0/400.jpg`, createPng(1));
    const upload = await requestUpload(organizer, event.id);
    await postFile(upload, createPng(30));
    await awaitProcessed(upload);
    expect((await readPicture(first)).status).toBe(404);
    expect(await listObjects(event.id)).toEqual(picturesOf(upload));
  });

  it('has neither the metadata nor what follows the file, and is upright', async () => {
    const { organizer, event } = await openSale();
    const photo = withExif(createJpeg(40, 20), 6, 'GPS 52.5 N');
    const file = Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]);
    const { body } = await readPicture(await uploadPicture(organizer, event.id, file, 'image/jpeg'));
    expect(body).not.toMatch(/Exif|GPS|script/);
    const { width, height, data } = toJpeg(body);
    expect([width, height]).toEqual([20, 40]);
    // What was left is above.
    const isRed = (row: number) => (data[4 * row * width] ?? 0) > 128;
    expect([isRed(2), isRed(37)]).toEqual([true, false]);
  });

  it('may be a WebP, and is never enlarged', async () => {
    const { organizer, event } = await openSale();
    const webp = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
    const imageUrl = await uploadPicture(organizer, event.id, webp, 'image/webp');
    expect(toJpeg((await readPicture(imageUrl, 800)).body)).toMatchObject({ width: 1, height: 1 });
  });

  it('is copied with its event, whose picture may be replaced then', async () => {
    const { organizer, event } = await openSale();
    await uploadPicture(organizer, event.id, createPng(20));
    const body = { startDate: '2030-06-08T20:00:00Z' };
    const copy = expectStatus(201, await organizer.post(`/api/events/${event.id}/duplicate`, body)).event;
    const imageUrl = await eventually('the copy has a picture', () =>
      readImageUrl({ ...sale, organizer, event: copy }),
    );
    await uploadPicture(organizer, event.id, createPng(30));
    expect(toJpeg((await readPicture(imageUrl)).body).width).toBe(20);
    expect(await listObjects(copy.id)).toHaveLength(3);
  });

  it('is deleted with its event', async () => {
    const { organizer, event } = await openSale();
    const imageUrl = await uploadPicture(organizer, event.id, createPng(20));
    expectStatus(200, await organizer.delete(`/api/events/${event.id}`));
    await eventually('the objects are deleted', async () => (await listObjects(event.id)).length === 0);
    expect((await readPicture(imageUrl)).status).toBe(404);
  });
});

/** The beginning of a PNG of 50,000 × 50,000 pixels, which would take 10 GB. */
const bomb = () => {
  const png = createPng(1);
  png.writeUInt32BE(50_000, 16);
  png.writeUInt32BE(50_000, 20);
  return png;
};

describe('an upload changes nothing and leaves nothing', () => {
  const withoutEffect = async ({ organizer, event }: Sale, upload: Upload, file: Buffer) => {
    const before = [await readImageUrl({ ...sale, organizer, event }), await listObjects(event.id)];
    expect((await postFile(upload, file)).status).toBe(204);
    await awaitProcessed(upload);
    expect([await readImageUrl({ ...sale, organizer, event }), await listObjects(event.id)]).toEqual(before);
  };

  it.each([
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['SVG after the first bytes of a JPEG', Buffer.from('\xff\xd8\xff<svg onload="alert(1)"/>', 'latin1')],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')],
    ['a picture of 50,000 pixels a side', bomb()],
    ['a picture of 4,001 pixels', createPng(4_001, 1)],
    ['half of a PNG', createPng(300).subarray(0, 200)],
    ['the beginning of a JPEG', createJpeg(300, 300).subarray(0, 650)],
  ])('that is %s', async (_, file) => {
    await withoutEffect(sale, await requestUpload(sale.organizer, sale.event.id, 'image/jpeg'), file);
  });

  it('of a manager who was removed meanwhile, and gets no other form', async () => {
    const manager = await registerUser();
    await addStaff(sale.organizer, sale.event.id, manager, 'manager');
    const upload = await requestUpload(manager, sale.event.id);
    const member = { email: manager.user.email };
    expectStatus(200, await sale.organizer.delete(`/api/events/${sale.event.id}/staff`, member));
    expect((await manager.post(`/api/events/${sale.event.id}/image`, { type: 'image/png' })).status).toBe(
      403,
    );
    await withoutEffect(sale, upload, createPng(10));
  });

  it('that was requested before the one whose picture is shown', async () => {
    const { organizer, event } = await openSale();
    const early = await requestUpload(organizer, event.id);
    await uploadPicture(organizer, event.id, createPng(20));
    await withoutEffect({ ...sale, organizer, event }, early, createPng(10));
  });

  it('when its message arrives twice, or its form is posted again', async () => {
    const { organizer, event } = await openSale();
    const upload = await requestUpload(organizer, event.id);
    await postFile(upload, createPng(20));
    await awaitProcessed(upload);
    const { body } = await readPicture(upload.imageUrl);
    expect(await deliverAgain(upload)).toEqual({ batchItemFailures: [] });
    await withoutEffect({ ...sale, organizer, event }, upload, createPng(20, 20, [255, 0, 0]));
    expect((await readPicture(upload.imageUrl)).body).toBe(body);
  });

  it('after a hundred in a day: a form can be posted again and again', async () => {
    const { organizer, event } = await openSale();
    connectToTable();
    const ttl = Math.floor(Date.now() / 1000) + 3600;
    await write(put({ ...keys.attempts('PROCESSED_PICTURE', organizer.user.id), count: 100, ttl }));
    const upload = await requestUpload(organizer, event.id);
    await withoutEffect({ ...sale, organizer, event }, upload, createPng(20));
  });

  it('of an event that was deleted meanwhile', async () => {
    const { organizer, event } = await openSale();
    const upload = await requestUpload(organizer, event.id);
    expectStatus(200, await organizer.delete(`/api/events/${event.id}`));
    expect((await postFile(upload, createPng(20))).status).toBe(204);
    await awaitProcessed(upload);
    expect(await listObjects(event.id)).toEqual([]);
  });
});

it('an event shows the last of several uploads at once, and has no other picture', async () => {
  const { organizer, event } = await openSale();
  const uploads: Upload[] = [];
  for (let count = 0; count < 5; count++) uploads.push(await requestUpload(organizer, event.id));
  await Promise.all(uploads.map((upload, index) => postFile(upload, createPng(10 + index))));
  await Promise.all(uploads.map(awaitProcessed));
  const last = uploads.toSorted((a, b) => (a.imageUrl < b.imageUrl ? -1 : 1)).at(-1) as Upload;
  expect(await readImageUrl({ ...sale, organizer, event })).toBe(last.imageUrl);
  await eventually('the others are deleted', async () => (await listObjects(event.id)).length === 3);
  expect((await readPicture(last.imageUrl)).status).toBe(200);
});

describe('the bucket refuses', () => {
  const code = async (answer: Response) => [
    answer.status,
    /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1],
  ];
  const sign = (upload: Upload, policy: object) => {
    const encoded = Buffer.from(JSON.stringify(policy)).toString('base64');
    const [, ...scope] = upload.fields['X-Amz-Credential']?.split('/') ?? [];
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
    const key = scope.reduce<string | Buffer>(hmac, 'AWS4local');
    return { Policy: encoded, 'X-Amz-Signature': hmac(key, encoded).toString('hex') };
  };
  const policyOf = (upload: Upload) =>
    JSON.parse(Buffer.from(upload.fields.Policy ?? '', 'base64').toString()) as {
      expiration: string;
      conditions: object[];
    };

  it.each<[string, (upload: Upload) => Record<string, string | undefined>, [number, string]]>([
    ['another key', () => ({ key: 'pictures/other/upload/400.jpg' }), [403, 'AccessDenied']],
    ['another type', () => ({ 'Content-Type': 'text/html' }), [403, 'AccessDenied']],
    ['another user', () => ({ 'x-amz-meta-user': 'somebody' }), [403, 'AccessDenied']],
    ['a further field', () => ({ acl: 'public-read' }), [403, 'AccessDenied']],
    ['no policy', () => ({ Policy: undefined }), [403, 'AccessDenied']],
    [
      'a policy without the conditions',
      (upload) => ({ Policy: sign(upload, { ...policyOf(upload), conditions: [] }).Policy }),
      [403, 'SignatureDoesNotMatch'],
    ],
    [
      'a policy that has expired',
      (upload) => sign(upload, { ...policyOf(upload), expiration: '2020-01-01T00:00:00Z' }),
      [403, 'AccessDenied'],
    ],
  ])('a form with %s', async (_, changes, expected) => {
    const upload = await requestUpload(sale.organizer, sale.event.id);
    expect(await code(await postFile(upload, createPng(1), changes(upload)))).toEqual(expected);
    // The helper that signs is right.
    const correct = sign(upload, policyOf(upload));
    expect((await postFile(upload, createPng(1), correct)).status).toBe(204);
  });

  it('more than 5 MiB, and nothing', async () => {
    const upload = await requestUpload(sale.organizer, sale.event.id);
    expect(await code(await postFile(upload, Buffer.alloc(5 * 1024 * 1024 + 1)))).toEqual([
      400,
      'EntityTooLarge',
    ]);
    expect(await code(await postFile(upload, Buffer.alloc(0)))).toEqual([400, 'EntityTooSmall']);
  });

  it('anonymous requests, and the pages of other websites', async () => {
    const { url, fields } = await requestUpload(sale.organizer, sale.event.id);
    for (const path of ['', `/${fields.key}`]) expect((await fetch(url + path)).status).toBe(403);
    const preflight = (origin: string) =>
      fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
    expect((await preflight('https://other.example')).status).toBe(403);
    expect((await preflight('http://localhost:5173')).headers.get('access-control-allow-origin')).toBe(
      'http://localhost:5173',
    );
  });
});

it('an upload needs a type of picture, and the right to change the event; fifty a day', async () => {
  const { organizer, event } = await openSale();
  const request = (caller = organizer, type = 'image/png') =>
    caller.post(`/api/events/${event.id}/image`, { type });
  expect((await request(organizer, 'image/svg+xml')).status).toBe(400);
  expect(errorOf(await request(sale.organizer))).toEqual([403, 'forbidden']);
  for (let count = 0; count < 50; count++) expectStatus(201, await request());
  expect(errorOf(await request())).toEqual([429, 'too-many-attempts']);
});
