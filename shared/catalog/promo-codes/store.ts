import { createHash } from 'node:crypto';
import { countAttempt, uncountAttempt } from '../../accounts/rate-limit.ts';
import { DomainError } from '../../core/errors.ts';
import type { Currency } from '../../core/money.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import { getItem, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import { put, remove, update, type Write, write } from '../../dynamo/write.ts';
import { type Code, codeUsedUp, findBudget, isLimited, toCode } from './code.ts';

/**
 * Returns a discount or access code of an event by a strongly consistent read; undefined when there is none.
 * @param text the code's text, in upper case
 */
export async function findCode(eventId: string, text: string): Promise<Code | undefined> {
  const item = await getItem(keys.code(eventId, text));
  return item && toCode(item);
}

/** Returns a page of an event's codes, in alphabetical order. @throws DomainError 400 for a cursor of another list */
export async function queryCodes(eventId: string, page: PageQuery) {
  const { pk: partition, sk: prefix } = keys.code(eventId, '');
  const { items, nextCursor } = await queryPage({ partition, prefix, ascending: true }, page);
  return { codes: items.map(toCode), nextCursor };
}

/** Returns the write that inserts a code. @param existsError returns the error for a code that the event already has */
export function insertCode(code: Code, existsError: () => Error): Write {
  return put(
    { ...keys.code(code.eventId, code.code), ...code },
    { when: 'attribute_not_exists(#pk)', orThrow: existsError },
  );
}

/**
 * Returns the write that changes a code's definition, but not its counters. It needs no condition in a transaction that
 * also writes the event: every change of a code changes its event, so that write fails after a concurrent change.
 */
export function updateCode({ uses, totalDiscount, overLimit, ordered, ...definition }: Code): Write {
  return update(keys.code(definition.eventId, definition.code), { set: definition });
}

/** The code was used for an order, so it can't be deleted. */
export class CodeOrdered extends Error {}

/** Returns the write that deletes a code. @throws CodeOrdered from the write */
export function removeCode({ eventId, code }: Code): Write {
  return remove(keys.code(eventId, code), {
    when: 'attribute_not_exists(#ordered)',
    orThrow: () => new CodeOrdered(),
  });
}

/** Deletes all codes of a deleted event. Safe to repeat. */
export async function removeCodes(eventId: string): Promise<void> {
  const { pk: partition } = keys.code(eventId, '');
  for await (const { pk, sk } of queryAll({ partition })) await write(remove({ pk, sk } as Key));
}

/**
 * Returns the write that counts an order against a code's limits. Returns no write for a code without limits, since all
 * its buyers would contend for one item.
 * @param discount the discount on the order, in minor units
 * @param isOverLimit whether the order was paid late and accepted nevertheless: it is counted even beyond the limits
 * @throws DomainError 409 from the transaction, when the order would exceed a limit
 */
export function countUse(code: Code, discount: bigint, currency: Currency, isOverLimit = false): Write[] {
  if (!isLimited(code)) return [];
  const key = keys.code(code.eventId, code.code);
  const counters = {
    set: { ordered: true },
    add: { uses: 1, totalDiscount: discount, ...(isOverLimit && { overLimit: 1 }) },
  };
  if (isOverLimit) return [update(key, counters)];
  const budget = findBudget(code, currency);
  const limits = [
    ...(code.maxUses === undefined ? [] : ['#uses < :maxUses']),
    ...(budget === undefined ? [] : ['#totalDiscount <= :maximumTotalDiscount']),
  ];
  const values = {
    ...(code.maxUses !== undefined && { maxUses: code.maxUses }),
    ...(budget !== undefined && { maximumTotalDiscount: budget - discount }),
  };
  return [update(key, counters, { when: limits.join(' AND '), values, orThrow: codeUsedUp })];
}

/** An order, with the discount and the redemption of the code that it was placed with. */
interface RedeemingOrder {
  eventId: string;
  discount: bigint;
  redemption?:
    | { code: string; isCounted?: boolean | undefined; isOverLimit?: boolean | undefined }
    | undefined;
}

/** Returns the write that subtracts an order from a code's counters; none for an order that was not counted. */
export function uncountUse({ eventId, discount, redemption }: RedeemingOrder): Write[] {
  if (!redemption?.isCounted) return [];
  const add = { uses: -1, totalDiscount: -discount, ...(redemption.isOverLimit && { overLimit: -1 }) };
  return [update(keys.code(eventId, redemption.code), { add })];
}

/** Limits the unknown codes that one caller may try for one event. A code that exists is not counted. */
const unknownCodeLimit = {
  maximum: 10,
  windowSeconds: 15 * 60,
  message: 'Too many unknown codes, please try again later',
};

/**
 * Returns the code that a caller enters, within the limit of unknown codes.
 * @param text the code's text, in upper case
 * @param rateLimitSubject the caller's user id, or the IP address of an anonymous caller
 * @throws DomainError 404 for an unknown code; 429 for any code after too many unknown ones
 */
export async function getCodeWithinRateLimit(
  eventId: string,
  text: string,
  rateLimitSubject: string,
): Promise<Code> {
  const subject = createHash('sha256').update(`${eventId} ${rateLimitSubject}`).digest('base64url');
  const key = keys.attempts('CODE', subject);
  // Counted before the code is read, so that concurrent guesses can't exceed the limit.
  await countAttempt(key, unknownCodeLimit);
  const code = await findCode(eventId, text);
  if (!code) throw unknownCode();
  await uncountAttempt(key);
  return code;
}

export const unknownCode = () => new DomainError('not-found', 'code-unknown', 'This code does not exist');
