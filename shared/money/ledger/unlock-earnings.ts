import { earningsUnlockAt, latestEndOf } from '../../catalog/events/event.ts';
import { EventChanged, getEvent, recordUnlock } from '../../catalog/events/store.ts';
import type { Currency } from '../../core/money.ts';
import { transact, write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/telemetry.ts';
import { postponeUnlock, readUpcomingEarnings, UpcomingEarningsChanged, unlockCredits } from './store.ts';

/**
 * Makes an organizer's earnings from an event available, some days after the event has ended (`PAYOUT_HOLD_DAYS`). When
 * the organizer has postponed the event, the next check is at the new time. Those from a draft stay locked until it is
 * published again. The earnings from a cancelled event stay in `upcoming`, from which its refunds are paid. Safe to repeat and to run concurrently.
 * @throws DomainError 404 when there is no such event
 */
export async function unlockEarnings(earnings: {
  organizerId: string;
  eventId: string;
  currency: Currency;
}): Promise<void> {
  const { eventId } = earnings;
  const upcoming = await readUpcomingEarnings(earnings);
  // The earnings were unlocked before, or the event was cancelled.
  if (!upcoming.dueAt) return;
  const event = await getEvent(eventId);
  const now = Date.now();
  const holdDays = Number(optionalSetting('PAYOUT_HOLD_DAYS') ?? 0);
  const unlocksAt = earningsUnlockAt(event, now, holdDays);
  const hasNothingToUnlock =
    event.status === 'CANCELLED' || (latestEndOf(event) <= now && upcoming.amount === 0n);
  try {
    if (hasNothingToUnlock || unlocksAt > now)
      await write(postponeUnlock(upcoming, hasNothingToUnlock ? 'never' : unlocksAt));
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
