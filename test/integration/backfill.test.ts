import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { backfillItems } from '../../infra/operator/backfill-items.ts';
import { documentClient, getItem, tableName } from '../../shared/dynamo/client.ts';
import { type Key, keys, schemaVersion } from '../../shared/dynamo/keys.ts';
import { call } from '../support/http.ts';
import { registerUser } from '../support/people.ts';
import { openSale } from '../support/sales.ts';
import { useTableOf } from '../support/table.ts';

beforeAll(() => useTableOf());

/** Makes an item look as if it had been written before some of its attributes existed. */
async function strip({ pk, sk }: Key, ...names: string[]): Promise<void> {
  const all = ['schemaVersion', ...names];
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: `REMOVE ${all.map((_, index) => `#${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(all.map((name, index) => [`#${index}`, name])),
    }),
  );
}

describe('npm run backfill', () => {
  it('adds what items of an earlier version lack, and nothing else', async () => {
    const { event, organizer } = await openSale();
    const [eventKey, userKey] = [keys.event(event.id), keys.user(organizer.user.id)];
    await strip(eventKey, 'entry');
    await strip(userKey, 'emailVerified', 'walletAddress');
    const [eventBefore, userBefore] = await Promise.all([getItem(eventKey), getItem(userKey)]);

    expect((await backfillItems({ isDryRun: true })).upgraded).toBeGreaterThanOrEqual(2);
    expect(await getItem(eventKey)).toEqual(eventBefore);

    expect((await backfillItems({ isDryRun: false })).invalid).toEqual([]);
    expect(await getItem(eventKey)).toEqual({ ...eventBefore, entry: 'account', schemaVersion });
    const added = { emailVerified: false, walletAddress: null };
    expect(await getItem(userKey)).toMatchObject({ ...userBefore, ...added, schemaVersion });
    const { body } = await call('GET', '/api/auth/me', { token: organizer.token });
    expect(body.user).toEqual(organizer.user);
  });

  it('leaves items of the present version alone', async () => {
    const { user } = await registerUser();
    const before = await getItem(keys.user(user.id));
    expect(before?.schemaVersion).toBe(schemaVersion);
    await backfillItems({ isDryRun: false });
    expect(await getItem(keys.user(user.id))).toEqual(before);
  });
});
