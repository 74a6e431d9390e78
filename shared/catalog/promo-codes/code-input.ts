import * as z from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import { idInput } from '../../core/schemas.ts';
import { eventPath } from '../events/editing/event-input.ts';
import { maximumTiers } from '../events/event.ts';
import { maximumPerPerson, price, quantity, timestamp } from '../events/fields.ts';
import { codeKinds, codeText } from './code.ts';

const kind = z.enum(codeKinds).meta({
  description:
    '`percent` and `amount` reduce the price of the order, `price` sets the price of each ticket, `access` only reveals hidden tiers',
});
const value = price.meta({
  description:
    'For `percent`: the percentage, with up to two decimals. For `amount`: the discount on the order. For `price`: the price of a ticket. Not used for `access`',
});
const tierIds = z.array(idInput).max(maximumTiers).meta({
  description:
    'The tiers that the code is valid for. The code reveals those of them that are hidden. Empty or absent: valid for all tiers, but only an `access` code reveals hidden ones',
});
const maxUses = quantity.min(1).meta({
  description:
    'The maximum number of orders that use the code. Absent: no maximum. Orders are counted only while `maxUses` or `budget` is set, so a limit that is set later does not include earlier orders',
});
const maxPerUser = maximumPerPerson.meta({
  description: 'The maximum number of orders of one user that use the code. Absent: no maximum',
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
    validUntil: timestamp.nullish().meta({ description: 'When the code stops being valid. Absent: never' }),
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
