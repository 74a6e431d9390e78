import type { Currency } from '../core/money.ts';
import { transact, write } from '../dynamo/write.ts';
import { latestEndOf } from '../events/event.ts';
import { getEvent } from '../events/store.ts';
import { log } from '../runtime/log.ts';
import { postponeRelease, readUpcoming, release, UpcomingChanged } from './store.ts';

/**
 * Makes what an organizer earned by an event available, once the event has ended. An event that ends later meanwhile is
 * looked at again then. What a cancelled event still has goes back to its buyers, and stays where their refunds take it.
 * Safe to repeat and to run concurrently.
 * @throws DomainError 404 when there is no such event
 */
export async function releaseUpcoming(earned: {
  organizerId: string;
  endedEventId: string;
  currency: Currency;
}): Promise<void> {
  const { endedEventId: eventId, ...owner } = earned;
  const upcoming = await readUpcoming({ ...owner, eventId });
  // Released already.
  if (!upcoming.dueAt) return;
  const event = await getEvent(eventId);
  const now = Date.now();
  const end = latestEndOf(event);
  const isOver = event.status === 'CANCELLED' || (end <= now && upcoming.amount === 0n);
  try {
    if (isOver || end > now) await write(postponeRelease(upcoming, isOver ? 'never' : end));
    else {
      await transact(release(upcoming, new Date(now).toISOString()));
      log.info('Earnings of an event released', { eventId });
    }
  } catch (error) {
    // Orders were posted, refunded or released in the meantime.
    if (!(error instanceof UpcomingChanged)) throw error;
    await releaseUpcoming(earned);
  }
}
