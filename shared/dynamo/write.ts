import {
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
import { conflict } from '../core/errors.ts';
import { pause } from '../runtime/retry.ts';
import { type Item, tableName } from './client.ts';
import { documents } from './documents.ts';
import type { Key } from './keys.ts';
import { plainItem } from './notation.ts';

/** When a write may happen, and what it means when it may not. */
export interface Condition {
  /** A condition expression; `#name` stands for an attribute, `:name` for one of `values`. */
  when: string;
  values?: Record<string, unknown>;
  /** The error to throw when the condition fails, given the item as it stands. */
  refused: (current: Item | undefined) => Error;
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write, to be done alone by `write` or together with others by `transact`. */
export interface Write {
  item: TransactItem;
  refused?: Condition['refused'];
}

export function put(item: Key & Item, condition?: Condition): Write {
  return {
    item: { Put: { TableName: tableName(), Item: item, ...expressions(condition) } },
    refused: condition?.refused,
  };
}

/** Changes single attributes; one set to undefined is removed. `add` changes numbers, from 0 when absent. */
export function update(
  key: Key,
  change: { set?: Record<string, unknown>; add?: Record<string, number | bigint> },
  condition?: Condition,
): Write {
  const set = Object.entries(change.set ?? {});
  const kept = set.filter(([, value]) => value !== undefined);
  const removed = set.filter(([, value]) => value === undefined);
  const added = Object.entries(change.add ?? {});
  const clauses = [
    kept.length > 0 && `SET ${kept.map(([name]) => `#${name} = :set_${name}`).join(', ')}`,
    removed.length > 0 && `REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`,
    added.length > 0 && `ADD ${added.map(([name]) => `#${name} :add_${name}`).join(', ')}`,
  ];
  const UpdateExpression = clauses.filter(Boolean).join(' ');
  const values = {
    ...Object.fromEntries(kept.map(([name, value]) => [`set_${name}`, value])),
    ...Object.fromEntries(added.map(([name, value]) => [`add_${name}`, value])),
  };
  return {
    item: {
      Update: {
        TableName: tableName(),
        Key: { pk: key.pk, sk: key.sk },
        UpdateExpression,
        ...expressions(condition, UpdateExpression, values),
      },
    },
    refused: condition?.refused,
  };
}

export function remove(key: Key, condition?: Condition): Write {
  return {
    item: { Delete: { TableName: tableName(), Key: { pk: key.pk, sk: key.sk }, ...expressions(condition) } },
    refused: condition?.refused,
  };
}

/** Writes nothing, but lets the transaction happen only when the condition holds. */
export function check(key: Key, condition: Condition): Write {
  const parts = expressions(condition) as { ConditionExpression: string };
  return {
    item: { ConditionCheck: { TableName: tableName(), Key: { pk: key.pk, sk: key.sk }, ...parts } },
    refused: condition.refused,
  };
}

/**
 * One write by itself, at half the cost of a transaction.
 * @returns the item after an update, otherwise undefined
 * @throws what `refused` makes of a failed condition; 409 with Retry-After when others keep the item busy
 */
export async function write({ item, refused }: Write): Promise<Item | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (item.Put) await documents.send(new PutCommand(item.Put));
      if (item.Delete) await documents.send(new DeleteCommand(item.Delete));
      if (!item.Update) return undefined;
      const input = { ...item.Update, ReturnValues: 'ALL_NEW' as const };
      return (await documents.send(new UpdateCommand(input))).Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException && refused) throw refused(plainItem(error.Item));
      if (!(error instanceof TransactionConflictException)) throw error;
      await pauseOrGiveUp(attempt);
    }
  }
}

/**
 * All writes or none.
 * @throws what `refused` makes of the first failed condition; 409 with Retry-After when other transactions on
 * the same items keep getting in between
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: writes.map(({ item }) => item) }));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      const refused = writes[failed]?.refused;
      if (refused) throw refused(plainItem(reasons[failed]?.Item));
      if (!reasons.some(({ Code }) => Code && retryable.has(Code))) throw error;
      await pauseOrGiveUp(attempt);
    }
  }
}

/**
 * Items that replace whatever is there, each for itself and at half the cost of a transaction: 25 to a request.
 * @throws when not all could be written; some may have been
 */
export async function putAll(items: readonly (Key & Item)[]): Promise<void> {
  const table = tableName();
  for (let start = 0; start < items.length; start += 25) {
    let pending = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: item as Item } }));
    for (let attempt = 0; pending.length > 0; attempt++) {
      if (attempt > 6) throw new Error('The table did not take all items');
      if (attempt > 0) await pause(attempt);
      const answer = await documents.send(new BatchWriteCommand({ RequestItems: { [table]: pending } }));
      pending = (answer.UnprocessedItems?.[table] ?? []) as typeof pending;
    }
  }
}

const retryable = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** About 4 s in all: short of every endpoint's timeout, and of the 10 s that payment gateways wait. */
export const maximumAttempts = 12;

async function pauseOrGiveUp(attempt: number): Promise<void> {
  if (attempt >= maximumAttempts) {
    throw conflict('busy', 'Many others are doing this right now, please try again', 1);
  }
  await pause(attempt);
}

function expressions(condition?: Condition, update = '', values: Record<string, unknown> = {}) {
  const all = { ...values, ...condition?.values };
  const used = new Set(`${update} ${condition?.when ?? ''}`.match(/#\w+/g) ?? []);
  return {
    ...(condition && {
      ConditionExpression: condition.when,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
    ...(used.size > 0 && {
      ExpressionAttributeNames: Object.fromEntries([...used].map((name) => [name, name.slice(1)])),
    }),
    ...(Object.keys(all).length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(Object.entries(all).map(([k, v]) => [`:${k}`, v])),
    }),
  };
}
