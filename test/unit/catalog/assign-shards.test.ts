import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignShards } from '../../../shared/catalog/events/editing/new-event.ts';
import { addTier, changeTier, reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { type Event, inventoryOf, maximumTiers } from '../../../shared/catalog/events/event.ts';
import { maximumShards } from '../../../shared/catalog/inventory/inventory.ts';
import { buildEvent, tierInput } from './event-fixtures.ts';

const ticketsPerShard = 1000;

const shardsOf = (event: Event) => inventoryOf(event).pools.map(({ shards }) => shards);

describe('dividing pools into shards', () => {
  it('gives a large tier many shards and a small one a single shard', () => {
    expect(shardsOf(buildEvent({ tiers: [tierInput(100), tierInput(4000), tierInput(1_000_000)] }))).toEqual([
      1, 4, 16,
    ]);
  });

  it('gives many large tiers about the same number of shards', () => {
    const shards = shardsOf(buildEvent({ tiers: Array(maximumTiers).fill(tierInput(1_000_000)) }));
    expect(Math.max(...shards) - Math.min(...shards)).toBeLessThanOrEqual(1);
  });

  it('creates a pool for the event only while its supply is below the sum of its tiers', () => {
    const event = buildEvent({ tiers: [tierInput(4000), tierInput(4000)] });
    const capped = assignShards(event, reviseEvent(event, { totalSupply: 5000 }), ticketsPerShard);
    expect(shardsOf(capped)).toEqual([4, 4, 5]);
    expect(
      shardsOf(assignShards(capped, reviseEvent(capped, { totalSupply: 8000 }), ticketsPerShard)),
    ).toEqual([4, 4]);
  });

  it('keeps the shards of a pool whose capacity is unchanged', () => {
    const event = buildEvent({ tiers: [tierInput(4000)] });
    const fewTicketsPerShard = 10;
    expect(shardsOf(assignShards(event, { ...event, title: 'New' }, fewTicketsPerShard))).toEqual([4]);
  });

  it('creates no more shards than one transaction can change, and never removes any', () => {
    const size = fc.nat(30_000);
    const step = fc.oneof(
      size.map((quantity) => ({ add: { ...tierInput(quantity), description: '', maxPerPerson: 10 } })),
      fc.record({ tier: fc.nat(maximumTiers), quantity: size }),
      fc.record({ totalSupply: size }),
    );
    const tiers = fc.array(size, { minLength: 1, maxLength: maximumTiers });
    fc.assert(
      fc.property(tiers, fc.array(step, { maxLength: 40 }), (quantities, steps) => {
        let event = buildEvent({ tiers: quantities.map(tierInput) });
        for (const change of steps) {
          const next = assignShards(event, apply(event, change), ticketsPerShard);
          for (const { id, shards } of event.tiers) {
            expect(next.tiers.find((tier) => tier.id === id)?.shards).toBeGreaterThanOrEqual(shards);
          }
          const counts = shardsOf(next);
          expect(Math.min(...counts)).toBeGreaterThan(0);
          expect(Math.max(...counts)).toBeLessThanOrEqual(16);
          expect(counts.reduce((sum, shards) => sum + shards, 0)).toBeLessThanOrEqual(maximumShards);
          event = next;
        }
      }),
    );
  });
});

type Step =
  | { add: Parameters<typeof addTier>[1] }
  | { tier: number; quantity: number }
  | { totalSupply: number };

function apply(event: Event, step: Step): Event {
  if ('add' in step) return event.tiers.length < maximumTiers ? addTier(event, step.add) : event;
  if ('totalSupply' in step) return reviseEvent(event, step);
  const id = event.tiers[step.tier % event.tiers.length]?.id ?? '';
  return changeTier(event, id, { quantity: step.quantity });
}
