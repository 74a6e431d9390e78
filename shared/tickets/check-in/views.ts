import * as z from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import { time } from '../../core/schemas.ts';
import { orderView } from '../../orders/views.ts';
import { ticketView } from '../ticket-view.ts';

export const checkInCode = z
  .string()
  .max(200)
  .meta({ examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab.1.xk2m00.AbCdEfGhIjKlMnOpQrStUv'] });

const qr = z.string().meta({
  description: 'The code as an image (SVG), below the address of this API',
  examples: ['/api/tickets/qr/cm5x2k9q0h3v7r1t8w4y6z0ab.1.xk2m00.AbCdEfGhIjKlMnOpQrStUv'],
});
const checkedInAt = time.nullable().meta({ description: 'When it was let in' });

/** What lets one seat of an order in. */
const admissionView = z
  .object({
    number: z.int().meta({ description: 'Which of the order’s seats, from 1 on', examples: [1] }),
    checkInCode,
    checkInCodeExpiresAt: time,
    qr,
    checkedInAt,
  })
  .meta({ id: 'Admission' });
export type AdmissionView = z.infer<typeof admissionView>;

/** An order, and for its buyer what lets each of its seats in. */
export const orderWithAdmissions = orderView
  .extend({
    admissions: z.array(admissionView).meta({
      description: 'For the buyer alone, and while the order is paid, has its seats and its event is on',
    }),
  })
  .meta({ id: 'OrderWithAdmissions' });

/** A ticket, and what lets it in; null once nothing does. */
export const ticketWithAdmission = ticketView
  .extend({
    checkInCode: checkInCode.nullable(),
    checkInCodeExpiresAt: time.nullable(),
    qr: qr.nullable(),
    checkedInAt,
  })
  .meta({ id: 'TicketWithAdmission' });
export type TicketWithAdmission = z.infer<typeof ticketWithAdmission>;

/** What the door is told of whom it lets in. */
export const checkInView = z
  .object({
    orderId: z.string(),
    number: z.int().meta({ examples: [1] }),
    quantity: z.int().meta({ description: 'How many seats the order has', examples: [2] }),
    eventId: z.string(),
    tierId: z.string(),
    tierName: z.string().meta({ examples: ['Floor'] }),
    customerName: z.string().meta({ examples: ['Ben Buyer'] }),
    checkedInAt: time,
  })
  .meta({ id: 'CheckIn' });
export type CheckInView = z.infer<typeof checkInView>;

/** What an organizer sends at the door. */
export const checkInRequest = z
  .object({
    code: checkInCode,
    eventId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'The event at whose door it is; the code of another is refused then' }),
  })
  .meta({ examples: [{ code: 'cm5x2k9q0h3v7r1t8w4y6z0ab.1.xk2m00.AbCdEfGhIjKlMnOpQrStUv' }] });
export type CheckInRequest = z.infer<typeof checkInRequest>;

/** Why somebody is not let in. */
export const checkInRefusals = [
  'invalid-code',
  'code-expired',
  'forbidden',
  'other-event',
  'event-cancelled',
  'refunded',
  'not-paid',
  'no-seat',
  'already-checked-in',
] as const satisfies ErrorCode[];
