import * as z from 'zod';
import { type Event, tierKinds, tierNameOf } from '../../catalog/events/event.ts';
import { getManagedEvent } from '../../catalog/events/read-events.ts';
import { maximumResponseBytes, responseBytes } from '../../core/response-size.ts';
import { identifier, time, toView } from '../../core/schemas.ts';
import { toCsv } from '../../core/text.ts';
import type { PageQuery } from '../../dynamo/read.ts';
import { answer, formatAnswer } from '../../orders/answers/answer.ts';
import { readAnswersOf } from '../../orders/answers/store.ts';
import { itemOfSeat, type Order, seatsOf } from '../../orders/order.ts';
import { maximumExportBytes, maximumRows, queryEventOrders } from '../../orders/read-orders.ts';
import { admissionError } from '../check-in/admissions.ts';
import { holderOf, seatOrInitial } from '../ticket.ts';
import { readSeatsOf } from './store.ts';

/** A valid ticket as the organizer sees it: without its code, because codes belong to the holders. */
export const attendeeView = z
  .object({
    orderId: identifier,
    reference: z.string().meta({
      description: 'The order’s, as its mails show it',
      examples: ['BOX-JAZZ-1795000000000-7Q2WK9XD'],
    }),
    number: z.int().meta({ examples: [1] }),
    tierId: identifier,
    tierName: z.string().meta({ examples: ['Floor'] }),
    kind: z.enum(tierKinds),
    attendeeName: z
      .string()
      .nullable()
      .meta({ description: 'Who uses the ticket, as its holder named them' }),
    attendeeEmail: z.string().nullable(),
    isTransferred: z.boolean(),
    customerName: z.string().meta({ description: 'The buyer', examples: ['Ben Buyer'] }),
    customerEmail: z.string(),
    checkedInAt: time.nullable(),
    answers: z.array(answer).meta({
      description: 'The answers for the ticket; at the first ticket of an order, also those for the order',
    }),
  })
  .meta({ id: 'Attendee' });
type AttendeeView = z.infer<typeof attendeeView>;

/** Orders have up to 500 tickets and 300 KB of answers, and a response at most 6 MB. */
const maximumOrders = 10;

/**
 * Lists the valid tickets of an event, those of the newest order first.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function listAttendees(eventId: string, userId: string, query: PageQuery) {
  return readFittingPage(await getManagedEvent(eventId, userId), query);
}

/** Reads a page that fits into a response, with fewer orders when these have many tickets. */
async function readFittingPage(event: Event, query: PageQuery): ReturnType<typeof readPage> {
  const page = await readPage(event, query);
  const isTooLarge = query.limit > 1 && responseBytes(page.attendees) > maximumResponseBytes;
  return isTooLarge
    ? readFittingPage(event, { ...query, limit: Math.ceil(Math.min(query.limit, maximumOrders) / 2) })
    : page;
}

/**
 * Exports about 5,000 of an event's valid tickets as CSV, or fewer with long answers. With `nextCursor` the next call continues
 * the export.
 * @throws DomainError as `listAttendees`
 */
export async function exportAttendees(eventId: string, userId: string, cursor: string | undefined) {
  const event = await getManagedEvent(eventId, userId);
  const attendees: AttendeeView[] = [];
  let pageCursor: string | null | undefined = cursor;
  let bytes = 0;
  do {
    const page = await readPage(event, { limit: maximumOrders, cursor: pageCursor });
    attendees.push(...page.attendees);
    pageCursor = page.nextCursor;
    bytes += responseBytes(page.attendees);
  } while (pageCursor !== null && attendees.length < maximumRows && bytes < maximumExportBytes);
  const questions = event.questions ?? [];
  const header = [
    'reference',
    'orderId',
    'number',
    'tier',
    'attendeeName',
    'attendeeEmail',
    'customerName',
    'customerEmail',
  ];
  const rows = attendees.map(({ answers, ...attendee }) => [
    attendee.reference,
    attendee.orderId,
    attendee.number,
    attendee.tierName,
    attendee.attendeeName,
    attendee.attendeeEmail,
    attendee.customerName,
    attendee.customerEmail,
    attendee.checkedInAt,
    ...questions.map(({ id }) => {
      const given = answers.find(({ questionId }) => questionId === id);
      return given ? formatAnswer(given) : null;
    }),
  ]);
  const csv = toCsv([...header, 'checkedInAt', ...questions.map(({ label }) => label)], rows);
  return { csv, nextCursor: pageCursor };
}

async function readPage(event: Event, { limit, cursor }: PageQuery) {
  const { orders, nextCursor } = await queryEventOrders(event.id, {
    limit: Math.min(limit, maximumOrders),
    cursor,
  });
  const valid = orders.filter((order) => !admissionError(order, event));
  const [answers, ...seats] = await Promise.all([
    readAnswersOf(valid),
    ...valid.map((order) => readSeatsOf(order.id)),
  ]);
  const attendees = valid.flatMap((order, index) =>
    seatsOf(order).map((number, place): AttendeeView => {
      const stored = seatOrInitial({ orderId: order.id, number }, seats[index]?.get(number));
      const item = itemOfSeat(order, number);
      return toView(attendeeView, stored, {
        ...pickOrder(order),
        tierId: item.tierId,
        tierName: tierNameOf(event, item),
        kind: item.isAddOn ? 'addon' : 'ticket',
        attendeeName: stored.attendee?.name ?? null,
        attendeeEmail: stored.attendee?.email ?? null,
        isTransferred: holderOf(stored, order) !== order.userId,
        answers: (answers.get(order.id) ?? []).filter(
          (given) => given.number === number || (given.number === undefined && place === 0),
        ),
      });
    }),
  );
  return { attendees, nextCursor };
}

const pickOrder = ({ reference, customerName, customerEmail }: Order) => ({
  reference,
  customerName,
  customerEmail,
});
