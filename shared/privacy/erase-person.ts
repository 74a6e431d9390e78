import { deleteAllSessions } from '../accounts/auth/store.ts';
import { changeUser } from '../accounts/users/store.ts';
import { unlinkWallet } from '../accounts/wallets/unlink-wallet.ts';
import { removeMemberships } from '../catalog/staff/store.ts';
import { write } from '../dynamo/write.ts';
import { removeNotifications } from '../messaging/notifications/store.ts';
import { eraseAnswers } from '../orders/answers/erase-answers.ts';
import { eraseCustomer, queryBuyerOrders } from '../orders/store.ts';
import { eraseAttendee, queryReceivedSeats, readSeatsOf, SeatChanged } from '../tickets/seats/store.ts';
import { holderOf, type Seat } from '../tickets/ticket.ts';
import { erasedAccount, nextErasurePassAt } from './erasure.ts';
import { findErasure, postponeErasure, removeErasure } from './store.ts';

/**
 * Runs one pass that erases a person's data from their records. A pass is idempotent: after a crash the next pass
 * continues. The last pass begins after all access tokens of the person have expired.
 */
export async function erasePerson(userId: string): Promise<void> {
  const erasure = await findErasure(userId);
  if (!erasure) return;
  const now = Date.now();
  await unlinkWallet(userId);
  await changeUser(userId, erasedAccount, new Date(now).toISOString());
  for await (const order of queryBuyerOrders(userId)) {
    if (order.customerEmail || order.customerName) await write(eraseCustomer(order.id));
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
  }
  for await (const seat of queryReceivedSeats(userId)) {
    await eraseNames(seat);
    await eraseAnswers(seat.orderId, (number) => number === seat.number);
  }
  if (erasure.emailHash) await removeMemberships(erasure.emailHash);
  await deleteAllSessions(userId);
  await removeNotifications(userId);
  const nextPassAt = nextErasurePassAt(erasure, now);
  if (nextPassAt === undefined) await removeErasure(erasure);
  else await postponeErasure(erasure, nextPassAt);
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
