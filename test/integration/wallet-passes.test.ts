import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  acceptTransfer,
  buyTickets,
  changeEvent,
  checkIn,
  expectStatus,
  nameAttendee,
  offerSeat,
  openSale,
  type Person,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { sharedStack, startStack } from '../support/stack.ts';

const hasTools = ['openssl', 'unzip'].every((tool) => !spawnSync(tool, ['-v']).error);

const getPass = (caller: Person, orderId: string, number: number) =>
  call('GET', `/api/orders/${orderId}/seats/${number}/pass.pkpass`, { token: caller.token });
const getLink = (caller: Person, orderId: string, number: number) =>
  call('GET', `/api/orders/${orderId}/seats/${number}/google-wallet`, { token: caller.token });

/** Reads a secret of the shared stack. */
async function readSecret(name: string): Promise<string> {
  const response = await fetch(sharedStack().secretsUrl, {
    method: 'POST',
    headers: { 'x-amz-target': 'secretsmanager.GetSecretValue' },
    body: JSON.stringify({ SecretId: `boxoffice/local/${name}` }),
  });
  const { SecretString } = (await response.json()) as { SecretString: string };
  return SecretString;
}

const folder = mkdtempSync(path.join(tmpdir(), 'passes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Unpacks a pass. @returns its files by name */
function unpack(answer: Answer): (name: string) => Buffer {
  const file = path.join(mkdtempSync(path.join(folder, 'pass-')), 'ticket.pkpass');
  writeFileSync(file, Buffer.from(expectStatus(200, answer), 'latin1'));
  execFileSync('unzip', ['-q', file], { cwd: path.dirname(file) });
  return (name) => readFileSync(path.join(path.dirname(file), name));
}
const readPassOf = (answer: Answer) => JSON.parse(unpack(answer)('pass.json').toString());

let sale: Sale;
let buyer: Person;
beforeAll(async () => {
  [sale, buyer] = await Promise.all([openSale(), registerUser()]);
  expectStatus(200, await changeEvent(sale, { latitude: 6.45, longitude: 3.39 }));
});

describe.runIf(hasTools)('GET /api/orders/{id}/seats/{number}/pass.pkpass', () => {
  it('is an archive whose hashes and signature other tools verify', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const answer = await getPass(buyer, orderId, 1);
    expect(answer.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
    const read = unpack(answer);
    const manifest: Record<string, string> = JSON.parse(read('manifest.json').toString());
    expect(Object.keys(manifest).sort()).toEqual(['icon.png', 'icon@2x.png', 'icon@3x.png', 'pass.json']);
    for (const [name, hash] of Object.entries(manifest))
      expect(createHash('sha1').update(read(name)).digest('hex')).toBe(hash);

    const authority = (await readSecret('APPLE_PASS_CERTIFICATE')).split('-----END PRIVATE KEY-----')[1];
    const files = {
      signature: read('signature'),
      manifest: read('manifest.json'),
      authority: `${authority}`,
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
    const verify = (content: string) =>
      spawnSync(
        'openssl',
        ['smime', '-verify', '-inform', 'DER', '-in', 'signature', '-content', content].concat([
          '-CAfile',
          'authority',
          '-purpose',
          'any',
          '-binary',
        ]),
        { cwd: folder },
      );
    expect(verify('manifest').stderr.toString()).toMatch(/verification successful/i);
    writeFileSync(path.join(folder, 'changed'), files.manifest.toString().replace('icon.png', 'logo.png'));
    expect(verify('changed').status).not.toBe(0);
  });

  it('shows the event, when and where it is relevant, the organizer’s color, and the check-in code', async () => {
    const page = { slug: `pass-${sale.event.id.slice(-8)}`, name: 'Old Station', accent: '#0b6e4f' };
    expectStatus(200, await sale.organizer.put('/api/organizer/page', page));
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    await nameAttendee(buyer, orderId, 2, { name: 'Zoë Ελένη Жукова' });
    const { admissions } = await readOrder(buyer, orderId);
    const pass = readPassOf(await getPass(buyer, orderId, 2));
    expect(pass).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: 'pass.test.boxoffice.ticket',
      teamIdentifier: 'BOXOFFICE1',
      backgroundColor: 'rgb(11, 110, 79)',
      locations: [{ latitude: 6.45, longitude: 3.39 }],
      barcodes: [{ format: 'PKBarcodeFormatQR', message: admissions[1].checkInCode }],
    });
    expect(pass.voided).toBeUndefined();
    expect(Date.parse(pass.relevantDate)).toBe(Date.parse(sale.event.eventDate));
    expect(Date.parse(pass.relevantDates[0].date)).toBe(Date.parse(pass.relevantDate));
    const shown = JSON.stringify(pass.eventTicket);
    for (const text of [sale.event.title, sale.event.venue, 'Zoë Ελένη Жукова', '2 of 2', reference])
      expect(shown).toContain(text);
  });

  it('is void once the ticket was used or refunded, or the event cancelled', async () => {
    const used = await buyTickets(sale, buyer, 1);
    const [{ checkInCode }] = (await readOrder(buyer, used.orderId)).admissions;
    expectStatus(200, await checkIn(checkInCode, sale.organizer));
    const refunded = await buyTickets(sale, buyer, 1);
    await requestRefund(refunded.orderId, sale.organizer);
    const cancelledSale = await openSale();
    const cancelled = await buyTickets(cancelledSale, buyer, 1);
    expectStatus(200, await changeEvent(cancelledSale, { status: 'CANCELLED' }));

    for (const [{ orderId }, status] of [
      [used, 'Used'],
      [refunded, 'Refunded'],
      [cancelled, 'Cancelled'],
    ] as const) {
      const pass = readPassOf(await getPass(buyer, orderId, 1));
      expect(pass.voided).toBe(true);
      expect(pass.eventTicket.headerFields).toMatchObject([{ value: status }]);
    }
  });

  it('is for the holder: after a transfer it has the new code, and the buyer gets none', async () => {
    const friend = await registerUser();
    const { orderId } = await buyTickets(sale, buyer, 1);
    const before = readPassOf(await getPass(buyer, orderId, 1));
    const { body } = await offerSeat(buyer, orderId, 1, friend.user.email);
    await acceptTransfer(friend, body.transfer.token);
    expect(errorOf(await getPass(buyer, orderId, 1))).toEqual([409, 'moved']);
    const after = readPassOf(await getPass(friend, orderId, 1));
    expect(after.barcodes[0].message).not.toBe(before.barcodes[0].message);
    expectStatus(200, await checkIn(after.barcodes[0].message, sale.organizer));
  });
});

describe('GET /api/orders/{id}/seats/{number}/google-wallet', () => {
  /** Verifies a link's token with the service account's key. */
  // biome-ignore lint/suspicious/noExplicitAny: the token's payload is not typed
  async function readLink(answer: Answer): Promise<any> {
    const { saveUrl } = expectStatus(200, answer);
    const [, token = ''] = /^https:\/\/pay\.google\.com\/gp\/v\/save\/([\w.-]+)$/.exec(saveUrl) ?? [];
    const { private_key, client_email } = JSON.parse(await readSecret('GOOGLE_WALLET_KEY'));
    const key = createPublicKey(private_key).export({ type: 'spki', format: 'pem' }).toString();
    return jwt.verify(token, key, { algorithms: ['RS256'], audience: 'google', issuer: client_email });
  }

  it('is a link with a signed ticket, whose id changes with its holder', async () => {
    const friend = await registerUser();
    const { orderId, reference } = await buyTickets(sale, buyer, 1);
    const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
    const { typ, iat, origins, payload } = await readLink(await getLink(buyer, orderId, 1));
    expect({ typ, origins, iat }).toEqual({
      typ: 'savetowallet',
      origins: [new URL(sharedStack().apiUrl).origin],
      iat: expect.any(Number),
    });
    const [[ticket], [event]] = [payload.eventTicketObjects, payload.eventTicketClasses];
    expect(ticket).toMatchObject({
      classId: event.id,
      state: 'ACTIVE',
      reservationInfo: { confirmationCode: reference },
      barcode: { type: 'QR_CODE', value: checkInCode },
    });
    expect(event.eventName.defaultValue.value).toBe(sale.event.title);

    const { body } = await offerSeat(buyer, orderId, 1, friend.user.email);
    await acceptTransfer(friend, body.transfer.token);
    expect(errorOf(await getLink(buyer, orderId, 1))).toEqual([409, 'moved']);
    const moved = await readLink(await getLink(friend, orderId, 1));
    expect(moved.payload.eventTicketObjects[0].id).not.toBe(ticket.id);
  });

  it('is shorter than browsers allow, also with the longest texts', async () => {
    const text = 'Ж'.repeat(200);
    const longSale = await openSale({ title: text });
    const fields = { venue: text, address: text.repeat(2), city: text, country: text };
    expectStatus(200, await changeEvent(longSale, fields));
    const { orderId } = await buyTickets(longSale, buyer, 1);
    await nameAttendee(buyer, orderId, 1, { name: text.slice(0, 100) });
    const { saveUrl } = expectStatus(200, await getLink(buyer, orderId, 1));
    expect(saveUrl.length).toBeLessThan(1_840);
  });

  it('is refused once the ticket was used or refunded', async () => {
    const used = await buyTickets(sale, buyer, 1);
    const [{ checkInCode }] = (await readOrder(buyer, used.orderId)).admissions;
    expectStatus(200, await checkIn(checkInCode, sale.organizer));
    expect(errorOf(await getLink(buyer, used.orderId, 1))).toEqual([409, 'admitted']);
    const refunded = await buyTickets(sale, buyer, 1);
    await requestRefund(refunded.orderId, sale.organizer);
    expect(errorOf(await getLink(buyer, refunded.orderId, 1))).toEqual([409, 'refunded']);
  });
});

it('a service without certificates makes no passes, and its storefront offers none', async () => {
  const stack = await startStack({ env: { APPLE_PASS_CERTIFICATE: '', GOOGLE_WALLET_KEY: '' } });
  onTestFinished(stack.stop);
  const person = await registerUser({}, stack);
  for (const file of ['pass.pkpass', 'google-wallet']) {
    const answer = await person.get(`/api/orders/cm5x2k9q0h3v7r1t8w4y6z0ab/seats/1/${file}`);
    expect(errorOf(answer)).toEqual([404, 'wallet-not-configured']);
  }
  const config = await fetch(`${stack.apiUrl}/config.json`);
  expect(await config.json()).toMatchObject({ wallets: [] });
});
