import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { toUser } from '../../shared/accounts/users/user.ts';
import { toEvent } from '../../shared/catalog/events/event.ts';
import { documentClient, tableName } from '../../shared/dynamo/client.ts';
import { schemaVersion } from '../../shared/dynamo/keys.ts';
import { toPayout } from '../../shared/money/payouts/payout.ts';
import { toOrder } from '../../shared/orders/order.ts';
import type { RawItem } from './scan-table.ts';

/** The schema of each kind of permanent item, by sort key. A schema adds the defaults of newer attributes. */
const schemas: Record<string, (item: unknown) => object> = {
  PROFILE: toStoredUser,
  EVENT: toEvent,
  ORDER: toOrder,
  PAYOUT: toPayout,
};

/** Returns a user's stored attributes, without `walletVerified`, which is derived from other attributes. */
function toStoredUser(item: unknown): object {
  const { walletVerified: _, ...stored } = toUser(item);
  return stored;
}

export interface BackfillResult {
  examined: number;
  upgraded: number;
  /** Keys of items that their schema does not accept. These items are not changed. */
  invalid: string[];
}

/**
 * Upgrades all items of earlier schema versions. Each write adds an attribute only if it is still missing, so it never
 * reverts a concurrent change. The command may be stopped and repeated.
 * @param isDryRun whether to count only
 */
export async function backfillItems({ isDryRun }: { isDryRun: boolean }): Promise<BackfillResult> {
  const result: BackfillResult = { examined: 0, upgraded: 0, invalid: [] };
  let startKey: RawItem | undefined;
  do {
    const page = await documentClient().send(
      new ScanCommand({
        TableName: tableName(),
        ExclusiveStartKey: startKey,
        FilterExpression: 'attribute_not_exists(schemaVersion) OR schemaVersion < :version',
        ExpressionAttributeValues: { ':version': schemaVersion },
      }),
    );
    result.examined += page.ScannedCount ?? 0;
    for (const item of page.Items ?? []) await backfillItem(item, isDryRun, result);
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return result;
}

async function backfillItem(item: RawItem, isDryRun: boolean, result: BackfillResult): Promise<void> {
  const parse = schemas[item.sk];
  if (!parse) return;
  const missing = findMissingAttributes(item, parse);
  if (!missing) {
    result.invalid.push(`${item.pk} ${item.sk}`);
    return;
  }
  if (isDryRun || (await addAttributes(item, missing))) result.upgraded++;
}

/** Returns the attributes that the schema adds, or undefined for an item that the schema does not accept. */
function findMissingAttributes(
  item: RawItem,
  parse: (item: unknown) => object,
): [string, unknown][] | undefined {
  try {
    return Object.entries(parse(item)).filter(([name, value]) => value !== undefined && !(name in item));
  } catch {
    return undefined;
  }
}

/** @returns false for an item that was deleted since it was read */
async function addAttributes({ pk, sk }: RawItem, missing: [string, unknown][]): Promise<boolean> {
  const sets = missing.map((_, index) => `#${index} = if_not_exists(#${index}, :${index})`);
  const update = new UpdateCommand({
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
    await documentClient().send(update);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
