import { expect, it } from 'vitest';
import { auditInventory } from '../../infra/ops/reconcile-inventory.ts';
import type { RawItem } from '../../infra/ops/table.ts';
import { keys } from '../../shared/dynamo/keys.ts';

const order = {
  ...keys.order('order'),
  id: 'order',
  eventId: 'event',
  userId: 'buyer',
  tierId: 'tier',
  quantity: 2,
  paymentStatus: 'COMPLETED',
  holdsInventory: true,
};
const buyer = (counters: Record<string, number>) => ({ ...keys.buyer('event', 'buyer'), ...counters });
const audit = (...items: RawItem[]) => auditInventory(async () => items);
const difference = (counter: string, expected: number, found: number) => ({
  subject: `buyer buyer of event event: ${counter}`,
  expected,
  found,
});

it.each([
  ['right', [buyer({ total: 2, tier_tier: 2 })], []],
  ['wrong', [buyer({ total: 2, tier_tier: 3 })], [difference('tier_tier', 2, 3)]],
  ['without orders', [buyer({ total: 2, tier_tier: 2, tier_other: 1 })], [difference('tier_other', 0, 1)]],
  ['partly missing', [buyer({ total: 2 })], [difference('tier_tier', 2, 0)]],
  ['missing', [], [difference('total', 2, 0), difference('tier_tier', 2, 0)]],
])('compares the counters of a buyer: %s', async (_, buyers, differences) => {
  expect(await audit(order, ...buyers)).toEqual(differences);
});
