import * as z from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { id } from '../core/schemas.ts';
import { eventPath } from '../events/editing/event-input.ts';
import { maximumTiers } from '../events/event.ts';
import { perPerson, price, quantity, timestamp } from '../events/fields.ts';
import { codeKinds, codeText } from './code.ts';

const kind = z.enum(codeKinds).meta({
  description:
    '`percent` and `amount` reduce the price of the order, `price` sets that of a ticket, `access` only opens hidden tiers',
});
const value = price.meta({
  description:
    'For `percent`: the percentage, with up to two decimals. For `amount`: the discount on the order. For `price`: the price of a ticket. Not used for `access`',
});
const tierIds = z.array(id).max(maximumTiers).meta({
  description:
    'The tiers that the code is valid for, and that it opens when they are hidden. Empty or absent: all tiers',
});
const maxUses = quantity.min(1).meta({
  description:
    'The number of orders that may use the code. Absent: any number. A code without limits counts no orders; a limit that is set later counts only the orders placed after it.',
});
const maxPerUser = perPerson.meta({
  description: 'The number of orders of one user that may use the code. Absent: any number',
});
const budget = price
  .positive()
  .meta({ description: 'The maximum discount over all orders, in the event’s currency. Absent: no maximum' });

export const codeCreation = z
  .object({
    code: codeText,
    kind,
    value: value.nullish(),
    tierIds: tierIds.nullish(),
    maxUses: maxUses.nullish(),
    maxPerUser: maxPerUser.nullish(),
    budget: budget.nullish(),
    validFrom: timestamp.nullish().meta({ description: 'When the code becomes valid. Default: at once' }),
    validUntil: timestamp.nullish().meta({ description: 'Not valid after. Absent: no end' }),
    active: z.boolean().nullish().meta({ description: 'Whether buyers can use the code. Default: true' }),
  })
  .meta({ examples: [{ code: 'EARLY-BIRD', kind: 'percent', value: 20, maxUses: 100 }] });
export type CodeCreation = z.infer<typeof codeCreation>;

/** A partial change: absent fields stay unchanged, and null clears a field. */
export const codeChange = codeCreation
  .omit({ code: true, kind: true })
  .extend({ kind: kind.optional() })
  .meta({ examples: [{ maxUses: 200 }] });
export type CodeChange = z.infer<typeof codeChange>;

export const codePath = z.object({ ...eventPath.shape, code: codeText });

/** Errors common to all changes of a code. */
export const codeErrorCodes = ['forbidden', 'event-not-found', 'code-unknown'] as const satisfies ErrorCode[];
