import * as z from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { id } from '../core/schemas.ts';
import { maximumTiers } from '../events/event.ts';
import { perPerson, price, quantity, timestamp } from '../events/fields.ts';
import { codeKinds, codeText } from './code.ts';

const value = price.meta({
  description:
    'Of kind percent the percentage, with up to two decimals; of amount what the order costs less; of price what a ticket costs; not used by access',
});
const tierIds = z.array(id).max(maximumTiers).meta({ description: 'Empty: all tiers' });
const maxUses = quantity.min(1).meta({
  description:
    'Orders that may use it. A code without limits counts no orders; a later limit counts those after it.',
});
const maxPerUser = perPerson.meta({ description: 'Orders of one user that may use it' });
const budget = price.positive().meta({ description: 'The most that it takes off over all orders' });

export const codeCreation = z
  .object({
    code: codeText,
    kind: z.enum(codeKinds),
    value: value.nullish(),
    tierIds: tierIds.nullish(),
    maxUses: maxUses.nullish(),
    maxPerUser: maxPerUser.nullish(),
    budget: budget.nullish(),
    validFrom: timestamp.nullish(),
    validUntil: timestamp.nullish(),
    active: z.boolean().nullish(),
  })
  .meta({ examples: [{ code: 'EARLY-BIRD', kind: 'percent', value: 20, maxUses: 100 }] });
export type CodeCreation = z.infer<typeof codeCreation>;

/** Fields that are not sent stay unchanged. Null clears one. */
export const codeChange = codeCreation
  .omit({ code: true, kind: true })
  .extend({ kind: z.enum(codeKinds).optional() })
  .meta({ examples: [{ maxUses: 200 }] });
export type CodeChange = z.infer<typeof codeChange>;

export const codePath = z.object({ id: z.string().max(100), code: codeText });

/** Errors common to all changes of a code. */
export const codeRefusals = ['forbidden', 'event-not-found', 'code-unknown'] as const satisfies ErrorCode[];
