import * as z from 'zod';
import { identifier, time } from '../../core/schemas.ts';
import { actorTypes, auditActions } from './audit.ts';

/** A recorded change in API responses. */
export const auditEntryView = z
  .object({
    id: identifier,
    at: time,
    action: z.enum(auditActions),
    by: z.object({
      type: z.enum(actorTypes).meta({
        description:
          'Who made the change: an account (`user`, `admin`), a payment gateway’s webhook (`gateway`), an operator’s command (`operator`), or the service itself (`system`)',
      }),
      userId: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .meta({ description: 'The account’s name. Only administrators see the names of administrators' }),
    }),
    eventId: identifier.nullable(),
    details: z.record(z.string(), z.string()).meta({
      description: 'Ids, codes, states and amounts; the keys depend on the action',
      examples: [{ role: 'door', userId: 'cm5x2k9q0h3v7r1t8w4y6z0ab' }],
    }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.infer<typeof auditEntryView>;
