import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { conflict, TableUnavailable } from '../core/errors.ts';
import { absent, type Expected, type Transition } from '../core/state-machine.ts';
import { abortAtDeadline, retry } from '../runtime/retry.ts';
import type { Key } from './keys.ts';
import { documentClient, type Item, retryUnprocessed, tableName, wrapNumbers } from './read.ts';

/** A condition of a write, and the error when it fails. */
export interface Condition {
  /** A condition expression; `#name` stands for an attribute, `:name` for one of `values`. */
  when: string;
  values?: Record<string, unknown>;
  /** Returns the error to throw when the condition fails. */
  orThrow: (current: Item | undefined) => Error;
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A write. `write` executes it alone, `transact` together with others. */
export interface Write {
  item: TransactItem;
  orThrow?: Condition['orThrow'];
  /** What an update was made of, so that it can be combined with others. */
  update?: UpdateParts;
}

interface UpdateParts {
  key: Key;
  change: Change;
  condition: Condition | undefined;
}

interface Change {
  set?: Record<string, unknown>;
  setIfAbsent?: Record<string, unknown>;
  add?: Record<string, number | bigint>;
}

export function put(item: Key & Item, condition?: Condition): Write {
  return {
    item: { Put: { TableName: tableName(), Item: item, ...toExpressions(condition) } },
    orThrow: condition?.orThrow,
  };
}

/**
 * Returns a write that changes attributes of an item. In `set`, the value undefined removes an attribute. `setIfAbsent`
 * keeps existing values. `add` increments numbers; an absent number counts as 0.
 */
export function update(key: Key, change: Change, condition?: Condition): Write {
  const set = Object.entries(change.set ?? {});
  const assigned = set.filter(([, value]) => value !== undefined);
  const removed = set.filter(([, value]) => value === undefined);
  const initialized = Object.entries(change.setIfAbsent ?? {});
  const added = Object.entries(change.add ?? {});
  const assignments = [
    ...assigned.map(([name]) => `#${name} = :set_${name}`),
    ...initialized.map(([name]) => `#${name} = if_not_exists(#${name}, :set_${name})`),
  ];
  const clauses = [
    assignments.length > 0 && `SET ${assignments.join(', ')}`,
    removed.length > 0 && `REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`,
    added.length > 0 && `ADD ${added.map(([name]) => `#${name} :add_${name}`).join(', ')}`,
  ];
  const UpdateExpression = clauses.filter(Boolean).join(' ');
  const values = {
    ...Object.fromEntries([...assigned, ...initialized].map(([name, value]) => [`set_${name}`, value])),
    ...Object.fromEntries(added.map(([name, value]) => [`add_${name}`, value])),
  };
  return {
    item: {
      Update: {
        TableName: tableName(),
        Key: { pk: key.pk, sk: key.sk },
        UpdateExpression,
        ...toExpressions(condition, UpdateExpression, values),
      },
    },
    orThrow: condition?.orThrow,
    update: { key, change, condition },
  };
}

/**
 * Returns writes of which no two update one item, for a transaction: one adds what all of them add.
 * @throws Error for updates of one item that set something else, or have another condition
 */
export function combineUpdates(writes: readonly Write[]): Write[] {
  const idOf = ({ update }: Write) => update && `${update.key.pk} ${update.key.sk}`;
  const byItem = Map.groupBy(writes, idOf);
  return writes.flatMap((write) => {
    const [first, ...others] = byItem.get(idOf(write)) as [Write, ...Write[]];
    if (!write.update || others.length === 0) return [write];
    return write === first ? [others.reduce(addUpdate, first)] : [];
  });
}

function addUpdate(one: Write, other: Write): Write {
  const { key, change, condition } = one.update as UpdateParts;
  const added = (other.update as UpdateParts).change.add ?? {};
  const withoutAdditions = ({ update }: Write) => [
    { ...update?.change, add: undefined },
    update?.condition?.when,
    update?.condition?.values,
  ];
  if (!isDeepStrictEqual(withoutAdditions(one), withoutAdditions(other)))
    throw new Error(`Two different updates of ${key.pk} ${key.sk}`);
  const add = { ...change.add };
  for (const [name, amount] of Object.entries(added)) {
    const before = add[name];
    // Both are numbers, or both are bigints.
    add[name] = before === undefined ? amount : (before as bigint) + (amount as bigint);
  }
  return update(key, { ...change, add }, condition);
}

export function remove(key: Key, condition?: Condition): Write {
  return {
    item: {
      Delete: { TableName: tableName(), Key: { pk: key.pk, sk: key.sk }, ...toExpressions(condition) },
    },
    orThrow: condition?.orThrow,
  };
}

/** Returns a check for a transaction. It writes nothing; the transaction fails when its condition fails. */
export function check(key: Key, condition: Condition): Write {
  return {
    item: {
      ConditionCheck: {
        TableName: tableName(),
        Key: { pk: key.pk, sk: key.sk },
        ConditionExpression: condition.when,
        ...toExpressions(condition),
      },
    },
    orThrow: condition.orThrow,
  };
}

/**
 * Executes one write, at half the cost of a transaction. When the answer is lost, the SDK retries the write. The retry
 * finds the id that the write stored in the item, and succeeds without writing again.
 * @returns the updated item; undefined for a put or a deletion
 * @throws the error of `orThrow` for a failed condition; 409 with Retry-After when concurrent transactions keep
 * conflicting with it
 */
export function write(operation: Write): Promise<Item | undefined> {
  // A deleted item can't store an id. So a conditional deletion is a transaction, which has an idempotency token and
  // costs twice as much.
  if (operation.item.Delete?.ConditionExpression) return transact([operation]).then(() => undefined);
  const id = randomBytes(6).toString('base64url');
  const item = withWriteId(operation.item, id);
  const send = async () => {
    try {
      return await sendSingle(item);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const current = unmarshallItem(error.Item);
      if (current?.writeId === id) return item.Update && current;
      throw operation.orThrow?.(current) ?? error;
    }
  };
  return retry(send, {
    isRetryable: (error) => error instanceof TransactionConflictException,
    exhaustedError: busyError,
  });
}

/** Adds an id to a write that is not idempotent: one with a condition or an addition. */
function withWriteId({ Put, Delete, Update }: TransactItem, id: string): TransactItem {
  if (Put?.ConditionExpression) return { Put: { ...Put, Item: { ...Put.Item, writeId: id } } };
  const hasAddition = /\bADD #/.test(Update?.UpdateExpression ?? '');
  if (!Update || !(Update.ConditionExpression || hasAddition)) return { Put, Delete, Update };
  const { UpdateExpression = '', ConditionExpression } = Update;
  const notWrittenYet = '(attribute_not_exists(#writeId) OR #writeId <> :writeId)';
  return {
    Update: {
      ...Update,
      UpdateExpression: `SET #writeId = :writeId${UpdateExpression.replace(/^(SET )?/, (set) => (set ? ', ' : ' '))}`,
      // Setting values is idempotent. Adding is not.
      ...(hasAddition && {
        ConditionExpression: ConditionExpression
          ? `(${ConditionExpression}) AND ${notWrittenYet}`
          : notWrittenYet,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
      ExpressionAttributeNames: { ...Update.ExpressionAttributeNames, '#writeId': 'writeId' },
      ExpressionAttributeValues: { ...Update.ExpressionAttributeValues, ':writeId': id },
    },
  };
}

async function sendSingle({ Put, Delete, Update }: TransactItem): Promise<Item | undefined> {
  if (Put) await documentClient().send(new PutCommand(Put), abortAtDeadline());
  if (Delete) await documentClient().send(new DeleteCommand(Delete), abortAtDeadline());
  if (!Update) return undefined;
  const update = new UpdateCommand({ ...Update, ReturnValues: 'ALL_NEW' });
  return (await documentClient().send(update, abortAtDeadline())).Attributes;
}

/**
 * Executes all writes or none. When the answer is lost, the SDK retries the transaction with the same idempotency
 * token. For 10 minutes the table returns the first outcome to such a retry.
 * @throws the error of `orThrow` for the first failed condition; 409 with Retry-After when concurrent transactions keep
 * conflicting with it; TableUnavailable
 */
export function transact(writes: readonly Write[]): Promise<void> {
  const send = async () => {
    try {
      const TransactItems = writes.map(({ item }) => item);
      await documentClient().send(new TransactWriteCommand({ TransactItems }), abortAtDeadline());
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failedIndex = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      const toError = writes[failedIndex]?.orThrow;
      if (toError) throw toError(unmarshallItem(reasons[failedIndex]?.Item));
      throw error;
    }
  };
  return retry(send, {
    isRetryable: (error) => isCanceledFor(error, [...throttlingCodes, conflictCode]),
    exhaustedError: (error) =>
      isCanceledFor(error, [conflictCode]) ? busyError() : new TableUnavailable(error),
  });
}

const conflictCode = 'TransactionConflict';
const throttlingCodes = ['ThrottlingError', 'ProvisionedThroughputExceeded'];

/** Returns whether the table canceled a transaction for one of the reasons. */
function isCanceledFor(error: unknown, codes: readonly string[]): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  return (error.CancellationReasons ?? []).some(({ Code }) => Code && codes.includes(Code));
}

function busyError(): Error {
  return conflict('busy', 'Many others are doing this right now, please try again', 1);
}

/** Unmarshals the item of an error, which the document client leaves marshalled. */
function unmarshallItem(item: Record<string, AttributeValue> | undefined): Item | undefined {
  return item && unmarshall(item, { wrapNumbers });
}

/**
 * Puts items without conditions in requests of 25, not atomically, at half the cost of a transaction.
 * @throws Error when an item could not be written; others may have been written
 */
export async function putAll(items: readonly (Key & Item)[]): Promise<void> {
  const table = tableName();
  for (let start = 0; start < items.length; start += 25) {
    let pending = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: item as Item } }));
    await retryUnprocessed(async () => {
      const batch = new BatchWriteCommand({ RequestItems: { [table]: pending } });
      const answer = await documentClient().send(batch, abortAtDeadline());
      pending = (answer.UnprocessedItems?.[table] ?? []) as typeof pending;
      return pending.length;
    });
  }
}

function toExpressions(condition?: Condition, update = '', values: Record<string, unknown> = {}) {
  const allValues = { ...values, ...condition?.values };
  const usedNames = new Set(`${update} ${condition?.when ?? ''}`.match(/#\w+/g) ?? []);
  return {
    ...(condition && {
      ConditionExpression: condition.when,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
    ...(usedNames.size > 0 && {
      ExpressionAttributeNames: Object.fromEntries([...usedNames].map((name) => [name, name.slice(1)])),
    }),
    ...(Object.keys(allValues).length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(Object.entries(allValues).map(([k, v]) => [`:${k}`, v])),
    }),
  };
}

/**
 * Returns the condition for writing transitions of one item together.
 * @param unchanged further expected values, e.g. those that the decision was based on
 */
export function toCondition<Item>(
  transitions: readonly Transition<Item>[],
  unchanged: Expected<Item> = {},
): { when: string; values: Record<string, unknown> } {
  const values: Record<string, unknown> = {};
  const toComparison = (attribute: string, expected: unknown) => {
    // Each part of a path needs a placeholder: #refund.#status.
    const path = attribute.replace(/\w+/g, '#$&');
    const allowed = [expected].flat().filter((value) => value !== absent);
    const absentExpression = `attribute_not_exists(${path})`;
    if (allowed.length === 0) return absentExpression;
    const placeholders = allowed.map((value) => {
      const name = `expected${Object.keys(values).length}`;
      values[name] = value;
      return `:${name}`;
    });
    const valueExpression =
      placeholders.length === 1 ? `${path} = ${placeholders[0]}` : `${path} IN (${placeholders.join(', ')})`;
    return [expected].flat().includes(absent)
      ? `(${absentExpression} OR ${valueExpression})`
      : valueExpression;
  };
  const states = transitions.map(({ attribute, from }) =>
    toComparison(
      attribute,
      from.map((state) => (state === 'absent' ? absent : state)),
    ),
  );
  const guards = [...transitions.map(({ guard }) => guard), unchanged].flatMap((guard) =>
    Object.entries(guard).map(([name, expected]) => toComparison(name, expected)),
  );
  return { when: [...states, ...guards].join(' AND '), values };
}
