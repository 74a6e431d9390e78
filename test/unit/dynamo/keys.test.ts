import { expect, it } from 'vitest';
import { newId } from '../../../shared/core/ids.ts';
import { keys } from '../../../shared/dynamo/keys.ts';

it('spreads 20,000 people who wait for one tier evenly, so that no partition takes most of their writes', () => {
  const now = Date.now();
  const places = Array.from({ length: 20_000 }, (_, index) =>
    keys.waitingPlace({ eventId: 'event', tierId: 'tier', id: newId(now + index) }, 'WAITING'),
  );
  const partitions = Map.groupBy(places, ({ pk }) => pk);
  expect(partitions.size).toBe(4);
  for (const { length } of partitions.values()) expect(length).toBeLessThan(1.1 * (20_000 / 4));
});
