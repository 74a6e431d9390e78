import { createPrivateKey, X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { PKPass } from 'passkit-generator';
import * as z from 'zod';
import type { Actor } from '../../accounts/auth/authorize.ts';
import type { Event } from '../../catalog/events/event.ts';
import { formatPlace, formatShortTime, formatTime } from '../../catalog/events/format.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import { channelsOf, textColorOn } from '../../core/color.ts';
import { readSecret } from '../../runtime/secrets.ts';
import { splitPem } from '../../runtime/settings.ts';
import { getSeatOfHolder } from '../seats/find-seat.ts';
import type { SeatReference } from '../ticket.ts';
import { notConfigured, toWalletTicket, type WalletTicket } from './wallet-ticket.ts';

export const passFile = z.string().meta({ format: 'binary' });

/** The color of the storefront. */
const shopAccent = '#a62b1f';
const toRgb = (color: string) => `rgb(${channelsOf(color).join(', ')})`;

/**
 * Makes the pass of a seat for Apple Wallet: a zip archive with the pass, its pictures, their hashes and a signature. The
 * pass of a used, refunded or cancelled ticket is void and says so. Wallet replaces an earlier pass with the same serial
 * number.
 * @throws DomainError 404 without a certificate, and for other users; 409 while the order is not paid, `moved` for the buyer
 * who transferred the seat
 */
export async function makeApplePass(caller: Actor, reference: SeatReference): Promise<Buffer> {
  const certificate = await readSecret('APPLE_PASS_CERTIFICATE');
  if (!certificate) throw notConfigured('Apple Wallet');
  return packPass(await toWalletTicket(await getSeatOfHolder(caller, reference)), certificate);
}

/** @param pem the value of APPLE_PASS_CERTIFICATE */
async function packPass(ticket: WalletTicket, pem: string): Promise<Buffer> {
  const { event, id, code, invalidity, language } = ticket;
  const t = textsIn(language);
  const { passTypeIdentifier, teamIdentifier, ...certificates } = readCertificates(pem);
  const accent = event.organizer?.accent ?? shopAccent;
  const text = toRgb(textColorOn(accent));
  const pass = new PKPass(await loadIcons(), certificates, {
    serialNumber: id,
    passTypeIdentifier,
    teamIdentifier,
    organizationName: event.seller?.name ?? event.organizer?.name ?? event.title,
    description: t('pass.description', { event: event.title }),
    backgroundColor: toRgb(accent),
    foregroundColor: text,
    labelColor: text,
    ...(invalidity && { voided: true }),
  });
  pass.type = 'eventTicket';
  pass.headerFields.push(
    invalidity
      ? { key: 'status', label: t('pass.status').toUpperCase(), value: invalidity }
      : { key: 'number', label: t('facts.ticket').toUpperCase(), value: ticket.number },
  );
  pass.primaryFields.push({ key: 'event', label: t('invoice.event').toUpperCase(), value: event.title });
  pass.secondaryFields.push(
    { key: 'when', label: t('facts.when').toUpperCase(), value: formatShortTime(event) },
    { key: 'venue', label: t('facts.where').toUpperCase(), value: event.venue },
  );
  pass.auxiliaryFields.push({ key: 'tier', label: t('facts.ticket').toUpperCase(), value: ticket.tier });
  if (ticket.attendee)
    pass.auxiliaryFields.push({
      key: 'attendee',
      label: t('print.name').toUpperCase(),
      value: ticket.attendee,
    });
  pass.backFields.push(
    { key: 'time', label: t('facts.when'), value: formatTime(event, language) },
    { key: 'place', label: t('facts.where'), value: formatPlace(event) },
    { key: 'order', label: t('print.order'), value: ticket.reference },
  );
  showNearEvent(pass, event);
  if (code)
    pass.setBarcodes({
      message: code,
      format: 'PKBarcodeFormatQR',
      messageEncoding: 'iso-8859-1',
      altText: code,
    });
  return pass.getAsBuffer();
}

/** Lets the lock screen show the pass before the event, and near its place. */
function showNearEvent(pass: PKPass, { eventDate, latitude, longitude }: Event): void {
  const date = new Date(eventDate);
  // The second is for iOS before 18.
  pass.setRelevantDates([{ date, relevantDate: date }]);
  pass.setRelevantDate(date);
  if (latitude !== null && longitude !== null) pass.setLocations({ latitude, longitude });
}

/** Reads the certificates and the key. The signer's certificate, which belongs to the key, names the pass type and the team. */
function readCertificates(pem: string) {
  const blocks = splitPem(pem);
  const signerKey = blocks.find((block) => block.includes(' PRIVATE KEY-----')) ?? '';
  const key = createPrivateKey(signerKey);
  const certificates = blocks
    .filter((block) => block !== signerKey)
    .map((block) => new X509Certificate(block));
  const signer = certificates.find((certificate) => certificate.checkPrivateKey(key));
  const wwdr = certificates.find((certificate) => certificate !== signer);
  const [, passTypeIdentifier] = /^UID=(.+)$/m.exec(signer?.subject ?? '') ?? [];
  const [, teamIdentifier] = /^OU=(.+)$/m.exec(signer?.subject ?? '') ?? [];
  if (!signer || !wwdr || !passTypeIdentifier || !teamIdentifier)
    throw new Error('APPLE_PASS_CERTIFICATE has no certificate of a pass type with its key');
  return {
    signerKey,
    signerCert: signer.toString(),
    wwdr: wwdr.toString(),
    passTypeIdentifier,
    teamIdentifier,
  };
}

/** Loads the icons from the bundle, one for each density of the screen. */
async function loadIcons(): Promise<Record<string, Buffer>> {
  const [icon, icon2, icon3] = await Promise.all([
    import('asset:icon.png'),
    import('asset:icon@2x.png'),
    import('asset:icon@3x.png'),
  ]);
  const unzip = ({ default: content }: { default: string }) => gunzipSync(Buffer.from(content, 'base64'));
  return { 'icon.png': unzip(icon), 'icon@2x.png': unzip(icon2), 'icon@3x.png': unzip(icon3) };
}
