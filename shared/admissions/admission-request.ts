import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';

export const checkInCode = z
  .string()
  .max(200)
  .meta({ examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab.1.xk2m00.AbCdEfGhIjKlMnOpQrStUv'] });

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
