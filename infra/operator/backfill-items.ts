import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../shared/dynamo/client.ts';
import { schemaVersion } from '../../shared/dynamo/keys.ts';
import { toEvent } from '../../shared/events/event.ts';
import { toOrder } from '../../shared/orders/order.ts';
import { toPayout } from '../../shared/payouts/payout.ts';
import { toUser } from '../../shared/users/user.ts';
import type { RawItem } from './scan-table.ts';

/** The schema of each kind of item that is kept for good, by sort key. It fills in the defaults of newer attributes. */
const schemas: Record<string, (item: unknown) => object> = {
  PROFILE: toStoredUser,
  EVENT: toEvent,
  ORDER: toOrder,
  PAYOUT: toPayout,
};

/** Returns the item of a user as it is stored: `walletVerified` is derived from other attributes. */
function toStoredUser(item: unknown): object {
  const { walletVerified: _, ...stored } = toUser(item);
  return stored;
}

export interface Backfilled {
  examined: number;
  upgraded: number;
  /** Keys of items that their schema does not accept. They are left as they are. */
  invalid: string[];
}

/**
 * Upgrades all items of earlier schema versions. It only adds attributes that are missing, each in the write itself, so
 * that it never undoes a concurrent change, and may be stopped and repeated.
 * @param isDryRun count only
 */
export async function backfillItems({ isDryRun }: { isDryRun: boolean }): Promise<Backfilled> {
  const result: Backfilled = { examined: 0, upgraded: 0, invalid: [] };
  let start: RawItem | undefined;
  do {
    const page = await documentClient().send(
      new ScanCommand({
        TableName: tableName(),
        ExclusiveStartKey: start,
        FilterExpression: 'attribute_not_exists(schemaVersion) OR schemaVersion < :version',
        ExpressionAttributeValues: { ':version': schemaVersion },
      }),
    );
    result.examined += page.ScannedCount ?? 0;
    for (const item of page.Items ?? []) await backfillItem(item, isDryRun, result);
    start = page.LastEvaluatedKey;
  } while (start);
  return result;
}

async function backfillItem(item: RawItem, isDryRun: boolean, result: Backfilled): Promise<void> {
  const parse = schemas[item.sk];
  if (!parse) return;
  const missing = missingAttributes(item, parse);
  if (!missing) {
    result.invalid.push(`${item.pk} ${item.sk}`);
    return;
  }
  if (isDryRun || (await addMissing(item, missing))) result.upgraded++;
}

/** Returns the attributes that the schema adds; undefined for an item that it does not accept. */
function missingAttributes(item: RawItem, parse: (item: unknown) => object): [string, unknown][] | undefined {
  try {
    return Object.entries(parse(item)).filter(([name, value]) => value !== undefined && !(name in item));
  } catch {
    return undefined;
  }
}

/** @returns false for an item that was deleted since it was read */
async function addMissing({ pk, sk }: RawItem, missing: [string, unknown][]): Promise<boolean> {
  const sets = missing.map((_, index) => `#${index} = if_not_exists(#${index}, :${index})`);
  const add = new UpdateCommand({
    TableName: tableName(),
    Key: { pk, sk },
    UpdateExpression: `SET ${[...sets, '#version = :version'].join(', ')}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: {
      '#version': 'schemaVersion',
      ...Object.fromEntries(missing.map(([name], index) => [`#${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':version': schemaVersion,
      ...Object.fromEntries(missing.map(([, value], index) => [`:${index}`, value])),
    },
  });
  try {
    await documentClient().send(add);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
