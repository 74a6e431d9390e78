import * as z from 'zod';
import { type Currency, toNumber } from '../../core/money.ts';
import { amount, identifier, time, toView } from '../../core/schemas.ts';
import { type Code, codeKinds, isLimited } from './code.ts';

const count = z.int();

export const codeView = z
  .object({
    code: z.string().meta({ examples: ['EARLY-BIRD'] }),
    kind: z.enum(codeKinds).meta({
      description:
        '`percent` and `amount` reduce the price of the order, `price` sets the price of each ticket, `access` only reveals hidden tiers',
    }),
    value: z
      .number()
      .nullable()
      .meta({
        description: 'A percentage for `percent`, an amount for `amount` and `price`',
        examples: [20],
      }),
    tierIds: z
      .array(identifier)
      .meta({ description: 'The tiers that the code is valid for; empty for all tiers' }),
    maxUses: count.nullable().meta({ examples: [100] }),
    maxPerUser: count.nullable().meta({ examples: [1] }),
    budget: amount.nullable(),
    validFrom: time.nullable(),
    validUntil: time.nullable(),
    active: z.boolean().meta({ description: 'Whether buyers can use the code' }),
    uses: count.nullable().meta({
      description:
        'The number of paid and unpaid orders that count against the limits. Null for a code with neither `maxUses` nor `budget`; the event’s summary shows the paid orders of every code',
      examples: [12],
    }),
    givenAway: amount.nullable().meta({ description: 'The total discount on the orders in `uses`' }),
    overruns: count.meta({
      description: 'The number of orders in `uses` that were paid after the code was used up',
    }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Code' });
type CodeView = z.infer<typeof codeView>;

/** Returns a code as its organizer sees it. */
export function toCodeView(code: Code, currency: Currency): CodeView {
  const { value, budget } = code;
  return toView(codeView, code, {
    value: value === undefined ? null : Number(value),
    budget: budget === undefined ? null : Number(budget),
    uses: isLimited(code) ? code.uses : null,
    givenAway: isLimited(code) ? toNumber(code.totalDiscount, currency) : null,
    overruns: code.overLimit,
  });
}
