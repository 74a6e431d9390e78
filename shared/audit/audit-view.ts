import * as z from 'zod';
import { identifier, time } from '../core/schemas.ts';
import { actorTypes, auditActions } from './audit.ts';

/** A change as the API shows it. */
export const auditEntryView = z
  .object({
    id: identifier,
    at: time,
    action: z.enum(auditActions),
    by: z.object({
      type: z.enum(actorTypes).meta({
        description:
          '`gateway`: a report of a payment provider; `operator`: a command; `system`: the service',
      }),
      userId: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .meta({ description: 'The names of administrators are shown to administrators only' }),
    }),
    eventId: identifier.nullable(),
    details: z.record(z.string(), z.string()).meta({
      description: 'Depends on the action',
      examples: [{ role: 'door', userId: 'cm5x2k9q0h3v7r1t8w4y6z0ab' }],
    }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.infer<typeof auditEntryView>;
