import { deleteAllApiKeys } from '../accounts/api-keys/change-keys.ts';
import { deleteAllSessions, removeDevices } from '../accounts/auth/store.ts';
import { removeFactors } from '../accounts/factors/store.ts';
import { changeUser } from '../accounts/users/store.ts';
import { unlinkWallet } from '../accounts/wallets/unlink-wallet.ts';
import { recountPurchase } from '../catalog/inventory/store.ts';
import { erasePage } from '../catalog/organizer-page/change-page.ts';
import { removeMemberships } from '../catalog/staff/store.ts';
import { readEntries } from '../catalog/waiting-list/store.ts';
import { deleteAllEndpoints } from '../catalog/webhooks/change-endpoints.ts';
import { conflict, DomainError } from '../core/errors.ts';
import { transact, write } from '../dynamo/write.ts';
import { removeNotifications } from '../messaging/notifications/store.ts';
import { eraseViews } from '../messaging/webhooks/store.ts';
import { eraseAnswers } from '../orders/answers/erase-answers.ts';
import { heldItems, type Order, openCountOf } from '../orders/order.ts';
import { eraseCustomer, OrderTransitionRefused, queryBuyerOrders } from '../orders/store.ts';
import { endEntry } from '../orders/waiting-list/end-entry.ts';
import { sendMessage } from '../runtime/queue.ts';
import { retry } from '../runtime/retry.ts';
import { eraseAttendee, queryReceivedSeats, readSeatsOf, SeatChanged } from '../tickets/seats/store.ts';
import { holderOf, type Seat } from '../tickets/ticket.ts';
import { erasedAccount, nextErasurePassAt } from './erasure.ts';
import { findErasure, postponeErasure, removeErasure } from './store.ts';

/** A worker's lease of an erasure, in milliseconds. Longer than the function's timeout. */
const leaseMilliseconds = 2 * 60_000;

/**
 * Runs one pass that erases a person's data from their records. A pass is idempotent: after a crash the next pass
 * continues. The last pass begins after all access tokens of the person have expired.
 * @param deadline when to stop and queue another message for the other orders (epoch milliseconds)
 */
export async function erasePerson(userId: string, deadline: number): Promise<void> {
  const erasure = await findErasure(userId);
  if (!erasure) return;
  const timestamp = new Date().toISOString();
  const { cursor, passStartedAt = timestamp } = erasure;
  await unlinkWallet(userId);
  await changeUser(userId, erasedAccount, timestamp);
  for await (const order of queryBuyerOrders(userId, cursor)) {
    if (order.id === cursor) continue;
    if (order.customerEmail || order.customerName || order.buyer !== userId) await eraseOrder(order);
    await eraseViews(order.id);
    const seats = await readSeatsOf(order.id);
    for (const seat of seats.values()) {
      if (holderOf(seat, order) === userId) await eraseNames(seat);
    }
    if (order.hasAnswers) {
      await eraseAnswers(order.id, (number) => {
        const seat = seats.get(number ?? 0);
        return !seat || holderOf(seat, order) === userId;
      });
    }
    if (Date.now() > deadline) {
      await postponeErasure(erasure, Date.now() + leaseMilliseconds, { passStartedAt, cursor: order.id });
      await sendMessage('run-event-jobs', { type: 'erase-person', userId }, { tenant: userId });
      return;
    }
  }
  for await (const seat of queryReceivedSeats(userId)) {
    await eraseNames(seat);
    await eraseAnswers(seat.orderId, (number) => number === seat.number);
  }
  for (const entry of await readEntries(userId)) await endEntry(entry, 'leave');
  if (erasure.emailHash) await removeMemberships(erasure.emailHash);
  await deleteAllSessions(userId);
  await removeDevices(userId);
  await deleteAllApiKeys(userId);
  for (const removal of await removeFactors(userId)) await write(removal);
  await deleteAllEndpoints(userId);
  await erasePage(userId);
  await removeNotifications(userId);
  const nextPassAt = nextErasurePassAt(erasure, Date.parse(passStartedAt));
  if (nextPassAt === undefined) await removeErasure(erasure);
  else await postponeErasure(erasure, nextPassAt);
}

function eraseOrder(order: Order): Promise<void> {
  let current = order;
  const attempt = async () => {
    try {
      const { userId, buyer, holdsInventory } = current;
      const recount =
        buyer === userId
          ? []
          : await recountPurchase(
              { ...current, items: heldItems(current) },
              { holdsInventory, openCount: openCountOf(current) },
              userId,
            );
      await transact([eraseCustomer(current), ...recount]);
    } catch (error) {
      if (error instanceof OrderTransitionRefused) current = error.current;
      throw error;
    }
  };
  return retry(attempt, {
    isRetryable: (error) =>
      error instanceof OrderTransitionRefused || (error instanceof DomainError && error.code === 'busy'),
    exhaustedError: () => conflict('busy', 'The order is being changed right now', 1),
  });
}

async function eraseNames(seat: Seat): Promise<void> {
  if (!seat.attendee && !seat.offer) return;
  try {
    await write(eraseAttendee(seat));
  } catch (error) {
    // Another user holds the seat now.
    if (!(error instanceof SeatChanged)) throw error;
  }
}
