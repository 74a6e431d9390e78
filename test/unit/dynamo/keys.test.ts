import { expect, it } from 'vitest';
import { newId } from '../../../shared/core/ids.ts';
import { dueAttributes, keys } from '../../../shared/dynamo/keys.ts';

it('spreads 20,000 people who wait for one tier evenly, so that no partition takes most of their writes', () => {
  const now = Date.now();
  const places = Array.from({ length: 20_000 }, (_, index) =>
    keys.waitingPlace({ eventId: 'event', tierId: 'tier', id: newId(now + index) }, 'WAITING'),
  );
  const partitions = Map.groupBy(places, ({ pk }) => pk);
  expect(partitions.size).toBe(4);
  for (const { length } of partitions.values()) expect(length).toBeLessThan(1.1 * (20_000 / 4));
});

it('sorts the time of what is due after the year 9999 behind all others', () => {
  const after = dueAttributes('id', Date.parse('9999-12-31T23:00:00Z') + 3 * 24 * 60 * 60_000);
  expect(after.dueAt > dueAttributes('id', Date.parse('9999-12-31T23:00:00Z')).dueAt).toBe(true);
});
