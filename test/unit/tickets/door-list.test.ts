import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import type { Event } from '../../../shared/catalog/events/event.ts';
import { newId } from '../../../shared/core/ids.ts';
import { newReference, type Order, orderIdOf } from '../../../shared/orders/order.ts';
import { toDoorSeat } from '../../../shared/tickets/door/list-door.ts';

it('a door’s list of 50,000 seats in orders of two is under 5 MB compressed, page by page', async () => {
  vi.stubEnv('CHECK_IN_SECRET', 'a secret of thirty-two characters');
  const tiers = ['Floor', 'Balcony'].map((name) => ({ id: newId(), name }));
  const event = { id: newId(), timezone: 'Europe/Berlin', checkInLists: [], tiers } as unknown as Event;
  const seatCount = 2_000;
  const seats = Array.from({ length: seatCount }, (_, index) => {
    const reference = newReference(event.id, 1_800_000_000_000 + 30_011 * Math.floor(index / 2));
    const order = {
      id: orderIdOf(reference),
      reference,
      customerName: `${randomBytes(5).toString('hex')} ${randomBytes(6).toString('hex')}`,
      items: [{ tierId: tiers[index % 2]?.id, quantity: 2 }],
      quantity: 2,
      holdsInventory: true,
    } as unknown as Order;
    return toDoorSeat({ event, list: undefined }, order, 1 + (index % 2), undefined);
  });
  const bytes = gzipSync(JSON.stringify(await Promise.all(seats))).length;
  vi.unstubAllEnvs();
  expect((50_000 / seatCount) * bytes).toBeLessThan(5_000_000);
});
