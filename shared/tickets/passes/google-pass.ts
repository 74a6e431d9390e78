import jwt from 'jsonwebtoken';
import * as z from 'zod';
import type { Actor } from '../../accounts/auth/authorize.ts';
import { formatPlace } from '../../catalog/events/format.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { readSecret } from '../../runtime/secrets.ts';
import { parseServiceAccount } from '../../runtime/settings.ts';
import { getHeldSeat } from '../seats/find-seat.ts';
import type { SeatReference } from '../ticket.ts';
import { notConfigured, toWalletTicket, type WalletTicket } from './wallet-ticket.ts';

export const googleLink = z.object({
  saveUrl: z.string().meta({
    description: 'The address that saves the ticket to Google Wallet',
    examples: ['https://pay.google.com/gp/v/save/eyJhbGciOi…'],
  }),
});

/** Google’s limit for the token in an address: some browsers cut longer addresses. */
const maximumTokenLength = 1_800;
/** The numbers of characters that texts are cut to, until the token is short enough. */
const textLengths = [80, 60, 40, 20, 10] as const;

/**
 * Returns the address that saves a seat to Google Wallet. Google reads the event and the ticket from the signed token in
 * it, so the ticket needs no request to Google. Google keeps the first version of a ticket, whose id therefore changes with
 * its code.
 * @throws DomainError 404 without a service account, and for other users; 409 for a ticket that admits nobody
 */
export async function makeGoogleLink(caller: Actor, reference: SeatReference): Promise<string> {
  const key = await readSecret('GOOGLE_WALLET_KEY');
  if (!key) throw notConfigured('Google Wallet');
  return signLink(await toWalletTicket(await getHeldSeat(caller, reference)), key);
}

/** @param key the value of GOOGLE_WALLET_KEY */
function signLink(ticket: WalletTicket, key: string): string {
  const { client_email, private_key } = parseServiceAccount(key);
  let token = '';
  for (const length of textLengths) {
    token = jwt.sign(toClaims(ticket, client_email, length), private_key, { algorithm: 'RS256' });
    if (token.length <= maximumTokenLength) break;
  }
  return `https://pay.google.com/gp/v/save/${token}`;
}

function toClaims(ticket: WalletTicket, serviceAccount: string, textLength: number) {
  const issuer = requiredSetting('GOOGLE_WALLET_ISSUER');
  const { event } = ticket;
  const cut = (text: string) => {
    const characters = Array.from(text);
    return characters.length > textLength ? `${characters.slice(0, textLength - 1).join('')}…` : text;
  };
  const localized = (text: string) => ({ defaultValue: { language: ticket.language, value: cut(text) } });
  const eventTicketClass = {
    id: `${issuer}.${event.id}`,
    issuerName: cut(event.seller?.name ?? event.organizer?.name ?? event.title),
    reviewStatus: 'UNDER_REVIEW',
    eventName: localized(event.title),
    venue: { name: localized(event.venue), address: localized(formatPlace(event)) },
    dateTime: { start: event.eventDate, end: event.endDate },
    hexBackgroundColor: event.organizer?.accent ?? undefined,
  };
  const eventTicketObject = {
    id: `${issuer}.${ticket.id}-${ticket.transfers}`,
    classId: eventTicketClass.id,
    state: 'ACTIVE',
    ticketHolderName: ticket.attendee && cut(ticket.attendee),
    ticketType: localized(ticket.tier),
    reservationInfo: { confirmationCode: ticket.reference },
    barcode: { type: 'QR_CODE', value: ticket.code },
  };
  return {
    iss: serviceAccount,
    aud: 'google',
    typ: 'savetowallet',
    origins: [new URL(requiredSetting('PUBLIC_URL')).origin],
    payload: { eventTicketClasses: [eventTicketClass], eventTicketObjects: [eventTicketObject] },
  };
}
