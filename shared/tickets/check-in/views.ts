import * as z from 'zod';
import { tierKinds } from '../../catalog/events/event.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { identifier, idInput, nextCursor, pageQuery, time } from '../../core/schemas.ts';
import { mailView } from '../../messaging/outbox/mail.ts';
import { answer } from '../../orders/answers/answer.ts';
import { orderView } from '../../orders/views.ts';
import { attendee, ticketView } from '../ticket.ts';

export const checkInCode = z
  .string()
  .max(200)
  .meta({
    description: 'The code of a seat, as its QR code contains it',
    examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab.1.v2-0.AbCdEfGhIjKlMnOpQrStUv'],
  });

const qr = z.string().meta({
  description: 'The code as an SVG image, relative to the address of this API',
  examples: ['/api/tickets/qr/cm5x2k9q0h3v7r1t8w4y6z0ab.1.v2-0.AbCdEfGhIjKlMnOpQrStUv'],
});
const checkInCodeExpiresAt = time.meta({
  description:
    'After this time, a day after the event’s end, the code is no longer admitted. The time changes with the event’s date; the code stays the same.',
});
const checkedInAt = time.nullable().meta({ description: 'When the seat was admitted' });

/** The check-in code of one seat of an order. */
export const admissionView = z
  .object({
    number: z.int().meta({ description: 'The number of the seat within the order, from 1', examples: [1] }),
    tierId: identifier,
    tierName: z.string().meta({ examples: ['Floor'] }),
    kind: z.enum(tierKinds),
    attendee: attendee
      .extend({ email: z.string().nullable() })
      .nullable()
      .meta({ description: 'The attendee that the holder named' }),
    status: z.enum(['held', 'offered', 'admitted']),
    checkInCode,
    checkInCodeExpiresAt,
    qr,
    checkedInAt,
  })
  .meta({ id: 'Admission' });
export type AdmissionView = z.infer<typeof admissionView>;

/** A seat of an order as the organizer sees it: without its code, because codes belong to the holders. */
export const attendedSeat = z
  .object({
    number: z.int(),
    attendeeName: z.string().nullable().meta({ description: 'The attendee that the holder named' }),
    isTransferred: z.boolean().meta({ description: 'Whether the buyer has transferred the seat' }),
    checkedInAt,
  })
  .meta({ id: 'AttendedSeat' });
export type AttendedSeat = z.infer<typeof attendedSeat>;

/**
 * An order with the mail of its tickets. The buyer also gets the check-in codes; the organizer and managers get the
 * seats.
 */
export const orderWithAdmissions = orderView
  .extend({
    admissions: z.array(admissionView).meta({
      description:
        'For the buyer only, while the order is paid and holds its seats and the event is not cancelled',
    }),
    seats: z.array(attendedSeat).meta({
      description: 'For the organizer and managers: the seats that were named, transferred or admitted',
    }),
    answers: z.array(answer).meta({
      description:
        'The answers to the event’s questions. The buyer does not see those for tickets that were transferred',
    }),
    mail: mailView.nullable().meta({ description: 'The mail with the tickets' }),
  })
  .meta({ id: 'OrderWithAdmissions' });

/** A ticket with its check-in code, which is null while the ticket would not be admitted. */
export const ticketWithAdmission = ticketView
  .extend({
    checkInCode: checkInCode.nullable(),
    checkInCodeExpiresAt: checkInCodeExpiresAt.nullable(),
    qr: qr.nullable(),
    checkedInAt,
  })
  .meta({ id: 'TicketWithAdmission' });
export type TicketWithAdmission = z.infer<typeof ticketWithAdmission>;

/** The admission of a seat, as shown at the door. */
export const checkInView = z
  .object({
    orderId: z.string(),
    number: z.int().meta({ examples: [1] }),
    quantity: z.int().meta({ description: 'The number of seats of the order', examples: [2] }),
    eventId: z.string(),
    tierId: z.string(),
    tierName: z.string().meta({ examples: ['Floor'] }),
    kind: z
      .enum(tierKinds)
      .meta({ description: '`addon`: to be handed over; it is no ticket and lets nobody in' }),
    customerName: z.string().meta({ description: 'The name of the buyer', examples: ['Ben Buyer'] }),
    attendeeName: z
      .string()
      .nullable()
      .meta({ description: 'The name given for this seat', examples: ['Ada Attendee'] }),
    checkedInAt: time,
    chainChecked: z.boolean().optional().meta({
      description:
        'For a seat admitted by token: whether the chain confirmed the owner. False when the chain did not answer in time',
    }),
    listName: z.string().nullable().meta({ description: 'The check-in list; null without lists' }),
    direction: z.enum(['entry', 'exit']),
  })
  .meta({ id: 'CheckIn' });
export type CheckInView = z.infer<typeof checkInView>;

export const undoneQuery = z.object({
  checkedInAt: z.iso.datetime({ precision: 3 }).optional().meta({
    description:
      'The time of the admission to undo. With it, a repetition does not undo an earlier admission by another check-in list',
  }),
});

/** A seat whose admission was undone. */
export const undoneAdmission = z
  .object({
    orderId: identifier,
    number: z.int().meta({ examples: [1] }),
    tierName: z.string().meta({ examples: ['Floor'] }),
    checkedInAt: z.null(),
  })
  .meta({ id: 'UndoneAdmission' });
export type UndoneAdmission = z.infer<typeof undoneAdmission>;

/** What a scan tells besides the ticket. */
const scanFields = {
  scanId: z.string().min(1).max(64).optional().meta({
    description:
      'Identifies this scan. When the response was lost, repeat the scan with the same id to get the same response',
  }),
  deviceId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      description: 'The device that scans, so that conflicts of offline scans can name it',
      examples: ['gate-2'],
    }),
  listId: z.string().max(64).optional().meta({
    description: 'The check-in list of the door; required where the event has lists',
  }),
  direction: z
    .enum(['entry', 'exit'])
    .default('entry')
    .meta({ description: '`exit`: out, to come in again later. Only with a list that allows it' }),
};
export type ScanFields = z.infer<z.ZodObject<typeof scanFields>>;

/** A scan at the door. */
export const checkInRequest = z
  .object({
    code: checkInCode,
    eventId: z.string().max(100).optional().meta({
      description: 'The event at whose door the code is scanned; the codes of other events are refused',
    }),
    ...scanFields,
  })
  .meta({ examples: [{ code: 'cm5x2k9q0h3v7r1t8w4y6z0ab.1.v2-0.AbCdEfGhIjKlMnOpQrStUv' }] });
export type CheckInRequest = z.infer<typeof checkInRequest>;

/** A seat that is admitted without its code. */
export const manualCheckInRequest = z
  .object({
    orderId: idInput.meta({ description: 'The id of the order' }),
    number: z
      .int()
      .min(1)
      .max(10_000_000)
      .meta({ description: 'The number of the seat within the order, from 1', examples: [1] }),
    ...scanFields,
  })
  .meta({ examples: [{ orderId: 'cm5x2k9q0h3v7r1t8w4y6z0ab', number: 1 }] });
export type ManualCheckInRequest = z.infer<typeof manualCheckInRequest>;

/** Error codes of a refused admission, with a code or without. */
export const admissionErrorCodes = [
  'order-not-found',
  'code-expired',
  'forbidden',
  'event-cancelled',
  'refunded',
  'not-paid',
  'no-seat',
  'moved',
  'token-moved',
  'already-checked-in',
  'wrong-list',
  'not-inside',
  'busy',
] as const satisfies ErrorCode[];

/** Error codes of a refused scan. */
export const checkInErrorCodes = [
  ...admissionErrorCodes,
  'invalid-code',
  'other-event',
] as const satisfies ErrorCode[];

const tierName = z.string().meta({ examples: ['Floor'] });
const customerName = z.string().meta({ examples: ['Ben Buyer'] });

/** `q` searches the event's paid orders. */
export const attendanceQuery = pageQuery.extend({
  q: z
    .string()
    .trim()
    .max(200)
    .refine(({ length }) => length !== 1, 'must have at least 2 characters, or none')
    .optional()
    .meta({
      description:
        'Finds paid orders by words of the buyer’s name, by id or by reference. The organizer and managers can search by e-mail address too. An empty text finds all paid orders',
      examples: ['ben buyer'],
    }),
});
export type AttendanceQuery = z.infer<typeof attendanceQuery>;

/** A seat that was admitted. */
export const recentAdmission = z
  .object({
    orderId: identifier,
    number: z.int(),
    tierName,
    customerName,
    attendeeName: z.string().nullable().meta({ description: 'The attendee that the holder named' }),
    checkedInAt: time,
  })
  .meta({ id: 'RecentAdmission' });
export type RecentAdmission = z.infer<typeof recentAdmission>;

/** A paid order that a search at the door finds. */
export const expectedOrder = z
  .object({
    orderId: identifier,
    customerName,
    customerEmail: z
      .string()
      .optional()
      .meta({ description: 'For the organizer, managers, and keys with `orders:read` only' }),
    tierName,
    quantity: z.int(),
    admitted: z.int().meta({ description: 'The number of its seats that were admitted' }),
    status: z
      .enum(['valid', 'refunded', 'no-seat'])
      .meta({ description: '`no-seat`: paid when no tickets were left' }),
    seats: z
      .array(
        z.object({
          number: z.int(),
          tierName,
          attendeeName: z.string().nullable().meta({ description: 'The attendee that the holder named' }),
          checkedInAt,
        }),
      )
      .meta({ description: 'Its first 50 valid seats. Empty when `q` is empty' }),
  })
  .meta({ id: 'ExpectedOrder' });
export type ExpectedOrder = z.infer<typeof expectedOrder>;

/** An admission that a device made offline and that was refused when it went up: somebody came in with the ticket. */
export const doorConflict = z
  .object({
    orderId: identifier,
    number: z.int().meta({ description: 'The number of the seat within the order' }),
    result: z.enum(['already-admitted', 'refunded', 'transferred', 'wrong-list', 'unknown']),
    scanId: z.string(),
    deviceId: z.string(),
    at: time.meta({ description: 'When the device admitted the ticket' }),
    by: z.string().nullable().meta({ description: 'Who was signed in when the scan went up' }),
    first: z
      .object({ deviceId: z.string().nullable(), at: time, by: z.string().nullable() })
      .nullable()
      .meta({ description: 'The admission that counts, for `already-admitted`' }),
  })
  .meta({ id: 'DoorConflict' });
export type DoorConflict = z.infer<typeof doorConflict>;

/** The number of admissions, and the latest ones. */
export const attendanceView = z
  .object({
    admitted: z.int().meta({ examples: [132] }),
    expected: z.int().meta({ description: 'The tickets sold, without those refunded', examples: [500] }),
    recent: z.array(recentAdmission).meta({ description: 'The latest 20, newest first' }),
    conflicts: z.array(doorConflict).meta({
      description:
        'For the organizer and managers: the latest 1,000 tickets that were admitted offline although they were used elsewhere or are not valid, newest first',
    }),
    orders: z.array(expectedOrder).meta({ description: 'What `q` found; empty without it' }),
    nextCursor,
  })
  .meta({ id: 'Attendance' });
export type Attendance = z.infer<typeof attendanceView>;
