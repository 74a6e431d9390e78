import { invalid } from '../../core/errors.ts';
import { type Currency, toMinor } from '../../core/money.ts';
import type { Event } from '../events/event.ts';
import type { Code } from './code.ts';
import type { CodeChange, CodeCreation } from './code-input.ts';

/**
 * Builds a code from a request.
 * @throws DomainError 400 for a value that its kind does not allow, a tier of another event, or dates in the wrong order
 */
export function newCode(event: Event, { code, kind, ...fields }: CodeCreation, now: string): Code {
  const emptyCode = {
    eventId: event.id,
    code,
    kind,
    tierIds: [],
    active: true,
    version: event.saleVersion,
    uses: 0,
    totalDiscount: 0n,
    overLimit: 0,
    createdAt: now,
    updatedAt: now,
  };
  return reviseCode(event, emptyCode, fields);
}

/** Applies an organizer's change to a code. @throws DomainError as `newCode` */
export function reviseCode(event: Event, before: Code, change: CodeChange): Code {
  const { value, budget, tierIds, active, kind = before.kind, ...limits } = change;
  // A percentage can't become an amount: a new kind needs a new value.
  const keptValue = kind === before.kind ? before.value : undefined;
  const revised = {
    ...before,
    ...Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit ?? undefined])),
    kind,
    value: kind === 'access' ? undefined : value === undefined ? keptValue : toDecimalText(value),
    budget: budget === undefined ? before.budget : toDecimalText(budget),
    tierIds: tierIds === undefined ? before.tierIds : [...new Set(tierIds)],
    active: active ?? before.active,
  };
  requireValidAmounts(revised, event.currency);
  const unknownTierId = revised.tierIds.find((id) => !event.tiers.some((tier) => tier.id === id));
  if (unknownTierId) throw invalid(`tierIds names ${unknownTierId}, which is not a tier of the event`);
  if (revised.validFrom && revised.validUntil && revised.validUntil < revised.validFrom) {
    throw invalid('validUntil must not be before validFrom');
  }
  return revised;
}

function toDecimalText(value: number | null): string | undefined {
  return value === null ? undefined : String(value);
}

function requireValidAmounts({ kind, value, budget }: Code, currency: Currency): void {
  if (budget !== undefined && toMinor(budget, currency) === undefined) throw tooPrecise('budget', currency);
  if (kind === 'access') return;
  if (value === undefined) throw invalid('value is required');
  if (kind !== 'price' && Number(value) === 0) throw invalid('value must be more than 0');
  if (kind !== 'percent') {
    if (toMinor(value, currency) === undefined) throw tooPrecise('value', currency);
  } else if (Number(value) > 100 || !/^\d+(\.\d{1,2})?$/.test(value)) {
    throw invalid('value must be at most 100, with at most two decimals');
  }
}

const tooPrecise = (field: string, currency: Currency) =>
  invalid(`${field} has more decimals than ${currency} allows`);
