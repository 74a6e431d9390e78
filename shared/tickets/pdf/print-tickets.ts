import * as z from 'zod';
import type { Actor } from '../../accounts/auth/authorize.ts';
import { type Event, tierNameOf } from '../../catalog/events/event.ts';
import { formatPlace, formatTime } from '../../catalog/events/format.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { inWidth, parsePictureUrl } from '../../catalog/pictures/picture.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { itemOfSeat, type Order } from '../../orders/order.ts';
import { readOrder } from '../../orders/read-orders.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { fetchWithRetry } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { admissionError, listAdmissions, signCode } from '../check-in/admissions.ts';
import type { AdmissionView } from '../check-in/views.ts';
import { getSeatOfHolder } from '../seats/find-seat.ts';
import type { SeatReference } from '../ticket.ts';
import { loadFonts, type Paper, paperSizes } from './document.ts';
import { drawTickets, type PrintedTicket } from './draw-tickets.ts';

/** The maximum number of tickets in one document. */
const maximumPages = 50;

export const printQuery = z.object({
  paper: z.enum(paperSizes).default('a4').meta({ description: 'The size of the paper' }),
});
export const printOrderQuery = printQuery.extend({
  page: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .meta({ description: `The part of an order of more than ${maximumPages} tickets` }),
});

export const pdf = z.string().meta({ format: 'binary' });
export const pdfHeaders = (name: string) => ({
  'content-type': 'application/pdf',
  'content-disposition': `attachment; filename="${name}.pdf"`,
  'cache-control': 'private, no-store',
});

/**
 * Prints the tickets of an order that its buyer still holds.
 * @returns one part of at most 50 tickets, and the number of parts
 * @throws DomainError 400 for a part that does not exist; 404 for callers other than the buyer and the event's organizer
 * and managers; 409 for an order without valid tickets, `moved` when the buyer transferred all of them
 */
export async function printOrder(
  caller: Actor,
  orderId: string,
  { paper, page }: z.infer<typeof printOrderQuery>,
): Promise<{ document: Buffer; pageCount: number }> {
  const order = await readOrder(caller, orderId);
  const event = await getEvent(order.eventId);
  const refusal = admissionError(order, event);
  if (refusal) throw refusal;
  const admissions = await listAdmissions(order, event);
  if (admissions.length === 0) throw conflict('moved', 'The tickets were handed to somebody else');
  const pageCount = Math.ceil(admissions.length / maximumPages);
  if (page > pageCount) throw invalid(`The tickets have no more than ${pageCount} parts`);
  const printed = admissions.slice((page - 1) * maximumPages, page * maximumPages);
  return { document: await drawAdmissions(order, event, printed, paper), pageCount };
}

/** The maximum number of tickets that a mail has as a PDF file. */
const maximumAttachedTickets = 10;

/** Prints the tickets of an order for its mail; undefined for more than ten. */
export async function printForMail(order: Order, event: Event): Promise<Buffer | undefined> {
  const admissions = await listAdmissions(order, event);
  if (admissions.length > maximumAttachedTickets) return undefined;
  return drawAdmissions(order, event, admissions, 'a4');
}

async function drawAdmissions(
  order: Order,
  event: Event,
  admissions: readonly AdmissionView[],
  paper: Paper,
): Promise<Buffer> {
  const tickets = admissions.map(({ number, attendee, checkInCode }) =>
    toPrintedTicket(order, event, number, attendee?.name, checkInCode),
  );
  return draw(tickets, order, event, paper);
}

async function draw(
  tickets: readonly PrintedTicket[],
  { language }: Order,
  event: Event,
  paper: Paper,
): Promise<Buffer> {
  const [fonts, picture] = await Promise.all([loadFonts(), fetchPicture(event)]);
  return drawTickets(tickets, { language, paper, fonts, picture, accent: event.organizer?.accent });
}

const timeLimitMilliseconds = 3_000;

/**
 * Reads the event's picture, as buyers do: undefined for an address of another website. Without an answer, the tickets are
 * printed without it.
 */
async function fetchPicture({ imageUrl }: Event): Promise<Buffer | undefined> {
  const publicUrl = requiredSetting('PUBLIC_URL');
  if (!parsePictureUrl(imageUrl, publicUrl)) return undefined;
  try {
    const signal = AbortSignal.timeout(timeLimitMilliseconds);
    const response = await fetchWithRetry(inWidth(imageUrl, 800, publicUrl), { signal });
    if (!response.ok) throw new Error(`Picture: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    log.warn('Tickets printed without the picture', { reason: (error as Error).message });
    return undefined;
  }
}

/**
 * Prints the ticket of a seat for its holder.
 * @throws DomainError 404 for other users; 409 while the seat is not valid, `moved` for the buyer who transferred it
 */
export async function printSeat(
  caller: Actor,
  reference: SeatReference,
  { paper }: z.infer<typeof printQuery>,
): Promise<Buffer> {
  const { seat, order, event } = await getSeatOfHolder(caller, reference);
  const refusal = admissionError(order, event, seat.number);
  if (refusal) throw refusal;
  const ticket = toPrintedTicket(order, event, seat.number, seat.attendee?.name, await signCode(seat));
  return draw([ticket], order, event, paper);
}

function toPrintedTicket(
  order: Order,
  event: Event,
  number: number,
  attendee: string | undefined,
  code: string,
): PrintedTicket {
  return {
    event: event.title,
    when: formatTime(event, order.language),
    where: formatPlace(event),
    tier: tierNameOf(event, itemOfSeat(order, number)),
    attendee,
    number: textsIn(order.language)('paid.ticket', { number, quantity: order.quantity }),
    reference: order.reference,
    code,
  };
}
