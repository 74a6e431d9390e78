import type { Currency } from '../core/money.ts';
import { getItem } from '../dynamo/client.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { type PageQuery, queryAll, queryPage } from '../dynamo/query.ts';
import { put, remove, update, type Write, write } from '../dynamo/write.ts';
import { budgetOf, type Code, isLimited, toCode, usedUp } from './code.ts';

/** The code of an event, as the last write left it; undefined when there is none. @param text in upper case */
export async function findCode(eventId: string, text: string): Promise<Code | undefined> {
  const item = await getItem(keys.code(eventId, text));
  return item && toCode(item);
}

/** A page of an event's codes, in the order of their texts. @throws DomainError 400 for a cursor of another list */
export async function queryCodes(eventId: string, page: PageQuery) {
  const { pk: partition, sk: prefix } = keys.code(eventId, '');
  const { items, nextCursor } = await queryPage({ partition, prefix, ascending: true }, page);
  return { codes: items.map(toCode), nextCursor };
}

/** @param exists makes the error for a code that the event has already */
export function insertCode(code: Code, exists: () => Error): Write {
  return put(
    { ...keys.code(code.eventId, code.code), ...code },
    { when: 'attribute_not_exists(#pk)', refused: exists },
  );
}

/** Changes a code's definition; its counters stay. Two changes exclude each other by the event's own condition. */
export function updateCode({ uses, given, overruns, ordered, ...definition }: Code): Write {
  return update(keys.code(definition.eventId, definition.code), { set: definition });
}

/** The code has counted an order. */
export class CodeOrdered extends Error {}

/** Deletes a code. @throws CodeOrdered from the write */
export function removeCode({ eventId, code }: Code): Write {
  return remove(keys.code(eventId, code), {
    when: 'attribute_not_exists(#ordered)',
    refused: () => new CodeOrdered(),
  });
}

/** Deletes all codes of an event that is deleted; a repeated call deletes what is left. */
export async function removeCodes(eventId: string): Promise<void> {
  const { pk: partition } = keys.code(eventId, '');
  for await (const { pk, sk } of queryAll({ partition })) await write(remove({ pk, sk } as Key));
}

/**
 * The write that counts an order against a code's limits; none for a code without limits, whose item is the same for
 * all buyers and would only be contended.
 * @param discount what the order is given, in minor units
 * @param isOverrun counts it beyond the limits as well: its late payment is honoured
 * @throws DomainError 409 from the transaction, when the limits have no room
 */
export function countUse(code: Code, discount: bigint, currency: Currency, isOverrun = false): Write[] {
  if (!isLimited(code)) return [];
  const key = keys.code(code.eventId, code.code);
  const counted = {
    set: { ordered: true },
    add: { uses: 1, given: discount, ...(isOverrun && { overruns: 1 }) },
  };
  if (isOverrun) return [update(key, counted)];
  const budget = budgetOf(code, currency);
  const limits = [
    ...(code.maxUses === undefined ? [] : ['#uses < :maxUses']),
    ...(budget === undefined ? [] : ['#given <= :room']),
  ];
  const values = {
    ...(code.maxUses !== undefined && { maxUses: code.maxUses }),
    ...(budget !== undefined && { room: budget - discount }),
  };
  return [update(key, counted, { when: limits.join(' AND '), values, refused: usedUp })];
}

/** What an order keeps of the code it was placed with. */
interface Redeeming {
  eventId: string;
  discount?: bigint | undefined;
  redemption?: { code: string; isCounted?: boolean | undefined; isOverrun?: boolean | undefined } | undefined;
}

/** The write that gives a use back; none for an order that was not counted. */
export function uncountUse({ eventId, discount = 0n, redemption }: Redeeming): Write[] {
  if (!redemption?.isCounted) return [];
  const add = { uses: -1, given: -discount, ...(redemption.isOverrun && { overruns: -1 }) };
  return [update(keys.code(eventId, redemption.code), { add })];
}
