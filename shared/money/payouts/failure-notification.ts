import { deriveId } from '../../core/ids.ts';
import { toDecimal } from '../../core/money.ts';
import type { Notification } from '../../messaging/notifications/store.ts';
import type { Payout } from './payout.ts';

/** Builds the organizer's notification of a failed payout. */
export function failureNotification({ id, organizerId, amount, currency }: Payout): Notification {
  const now = Date.now();
  return {
    id: deriveId(`payout ${id}`, now),
    userId: organizerId,
    type: 'WARNING',
    title: 'Payout failed',
    message: `${toDecimal(amount, currency)} ${currency} could not be sent to your bank account. The amount is available again. Please check the account, then request another payout.`,
    read: false,
    createdAt: new Date(now).toISOString(),
  };
}
