import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../../core/errors.ts';
import { transact, write } from '../../dynamo/write.ts';
import { decideOnInventory } from '../../inventory/decide.ts';
import { heldAndSold, planInventory, type ShardChange } from '../../inventory/inventory.ts';
import { changeInventory, ticketsPerShard } from '../../inventory/store.ts';
import { type Event, inventoryOf } from '../event.ts';
import type { EventView } from '../event-view.ts';
import { asOrganizer } from '../organizer.ts';
import { viewOf } from '../read-events.ts';
import { updateEvent } from '../store.ts';
import { assignShards } from './cut-shards.ts';

/**
 * Changes an event as `decide` says, on behalf of its organizer.
 * @returns the event with the change
 * @throws DomainError 404, 403 for all but the organizer, what `decide` throws, 409 for what the tickets sold
 * and held forbid, or with Retry-After when orders kept getting in between
 */
export function changeEvent(id: string, userId: string, decide: (event: Event) => Event): Promise<EventView> {
  return asOrganizer(id, userId, async (before) => {
    const after = assignShards(before, decide(before), ticketsPerShard());
    if (isDeepStrictEqual(before, after)) return viewOf(before);
    const changed = { ...after, updatedAt: timeAfter(before.updatedAt) };
    await writeChange(before, changed);
    return viewOf(changed);
  });
}

/** Now, but later than the last change in any case, so that no two states of an event have the same time. */
function timeAfter(last: string): string {
  return new Date(Math.max(Date.now(), Date.parse(last) + 1)).toISOString();
}

/**
 * Writes a changed event. What orders are decided by changes in one transaction with all of the event's stock,
 * which goes on to the next version: an order that was decided under the old terms then finds no stock, and is
 * decided anew. Anything else is a plain write.
 * @throws DomainError 409 for what the tickets sold and held forbid; EventChanged, InventoryChanged or InventoryShort
 * when what it was decided on has changed
 */
export async function writeChange(before: Event, after: Event): Promise<void> {
  if (isDeepStrictEqual(termsOf(before), termsOf(after))) {
    await write(updateEvent(before, after));
    return;
  }
  const next = { ...after, saleVersion: before.saleVersion + 1 };
  const stock = await planChange(before, after);
  await transact([
    updateEvent(before, next),
    ...changeInventory(inventoryOf(before), next.saleVersion, stock),
  ]);
}

/** What orders are decided by, beside the stock itself. */
function termsOf(event: Event) {
  const { status, currency, contractAddress, chainId } = event;
  const prices = event.tiers.map(({ price }) => price);
  return { status, currency, contractAddress, chainId, prices, pools: inventoryOf(event).pools };
}

/** What may only change while nobody has bought or holds a ticket. */
const fixedOnceSold = ['currency', 'contractAddress', 'chainId'] as const;

function planChange(before: Event, after: Event): Promise<ShardChange[]> {
  const sale = inventoryOf(before);
  const fixed = fixedOnceSold.find((name) => before[name] !== after[name]);
  return decideOnInventory(sale, (available) => {
    if (fixed && heldAndSold(sale.pools, available) !== 0) {
      throw conflict('tickets-sold', `${fixed} can't be changed once tickets are sold or held`);
    }
    return planInventory(sale.pools, inventoryOf(after).pools, available, fixed !== undefined);
  });
}
