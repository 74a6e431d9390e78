import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { backfillItems } from '../../infra/operator/backfill-items.ts';
import { documentClient, getItem, tableName } from '../../shared/dynamo/client.ts';
import { type Key, keys, schemaVersion } from '../../shared/dynamo/keys.ts';
import { call } from '../support/http.ts';
import { registerUser } from '../support/people.ts';
import { openSale } from '../support/sales.ts';
import { connectToTable } from '../support/table.ts';

beforeAll(() => connectToTable());

/** Removes the schema version and other attributes from an item, as if an earlier version had written it. */
async function removeAttributes({ pk, sk }: Key, ...names: string[]): Promise<void> {
  const attributes = ['schemaVersion', ...names];
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: `REMOVE ${attributes.map((_, index) => `#${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])),
    }),
  );
}

describe('npm run backfill', () => {
  it('adds missing attributes to items of an earlier version, and changes nothing in a dry run', async () => {
    const { event, organizer } = await openSale();
    const [eventKey, userKey] = [keys.event(event.id), keys.user(organizer.user.id)];
    await removeAttributes(eventKey, 'entry');
    await removeAttributes(userKey, 'emailVerified', 'walletAddress');
    const [eventBefore, userBefore] = await Promise.all([getItem(eventKey), getItem(userKey)]);

    expect((await backfillItems({ isDryRun: true })).upgraded).toBeGreaterThanOrEqual(2);
    expect(await getItem(eventKey)).toEqual(eventBefore);

    expect((await backfillItems({ isDryRun: false })).invalid).toEqual([]);
    expect(await getItem(eventKey)).toEqual({ ...eventBefore, entry: 'account', schemaVersion });
    const addedAttributes = { emailVerified: false, walletAddress: null };
    expect(await getItem(userKey)).toMatchObject({ ...userBefore, ...addedAttributes, schemaVersion });
    const { body } = await call('GET', '/api/auth/me', { token: organizer.token });
    expect(body.user).toEqual(organizer.user);
  });

  it('does not change items of the current version', async () => {
    const { user } = await registerUser();
    const itemBefore = await getItem(keys.user(user.id));
    expect(itemBefore?.schemaVersion).toBe(schemaVersion);
    await backfillItems({ isDryRun: false });
    expect(await getItem(keys.user(user.id))).toEqual(itemBefore);
  });
});
