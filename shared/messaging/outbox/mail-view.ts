import * as z from 'zod';
import { time } from '../../core/schemas.ts';
import { type Mail, mailReasons, mailStatuses } from './mail.ts';

/** A mail as the API shows it to the user whom it concerns. */
export const mailView = z
  .object({
    status: z.enum(mailStatuses).meta({ description: '`waiting` is tried again for three days' }),
    reason: z.enum(mailReasons).nullable().meta({ description: 'Why it was not sent' }),
    updatedAt: time,
  })
  .meta({ id: 'Mail' });

export function toMailView({ status, reason, updatedAt }: Mail): z.infer<typeof mailView> {
  return { status, reason: reason ?? null, updatedAt };
}
