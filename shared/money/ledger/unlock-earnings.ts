import { earningsUnlockAt, inventoryOf, latestEndOf } from '../../catalog/events/event.ts';
import { EventChanged, getEvent, recordUnlock } from '../../catalog/events/store.ts';
import { hasSoldTickets } from '../../catalog/inventory/store.ts';
import type { Currency } from '../../core/money.ts';
import { transact, write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/telemetry.ts';
import { postponeUnlock, readUpcomingEarnings, UpcomingEarningsChanged, unlockCredits } from './store.ts';

/** The pause until the next check whether the refunds of a cancelled event are posted. */
const refundsPauseMilliseconds = 60 * 60_000;

/**
 * Makes an organizer's earnings from an event available, some days after the event has ended (`PAYOUT_HOLD_DAYS`). When
 * the organizer has postponed the event, the next check is at the new time. Those from a draft stay locked until it is
 * published again. The refunds of a cancelled event are paid from `upcoming`; once all are posted, what the organizer has kept
 * of returns becomes available. Safe to repeat and to run concurrently.
 * @throws DomainError 404 when there is no such event
 */
export async function unlockEarnings(earnings: {
  organizerId: string;
  eventId: string;
  currency: Currency;
}): Promise<void> {
  const { eventId } = earnings;
  const upcoming = await readUpcomingEarnings(earnings);
  // The earnings were unlocked before.
  if (!upcoming.dueAt) return;
  const event = await getEvent(eventId);
  const now = Date.now();
  const holdDays = Number(optionalSetting('PAYOUT_HOLD_DAYS') ?? 0);
  const unlocksAt = earningsUnlockAt(event, now, holdDays);
  const hasNothingToUnlock = latestEndOf(event) <= now && upcoming.amount === 0n;
  try {
    if (hasNothingToUnlock || unlocksAt > now)
      await write(postponeUnlock(upcoming, hasNothingToUnlock ? 'never' : unlocksAt));
    else if (event.status === 'CANCELLED' && (await hasSoldTickets(inventoryOf(event))))
      await write(postponeUnlock(upcoming, now + refundsPauseMilliseconds));
    else {
      await transact([...unlockCredits(upcoming, new Date(now).toISOString()), ...recordUnlock(event, now)]);
      log.info('Earnings of an event unlocked', { eventId });
    }
  } catch (error) {
    // In the meantime orders were posted or refunded, another worker unlocked the earnings, or the event was changed.
    if (!(error instanceof UpcomingEarningsChanged) && !(error instanceof EventChanged)) throw error;
    await unlockEarnings(earnings);
  }
}
