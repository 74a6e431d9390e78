import { removeMemberships } from '../staff/store.ts';
import { readSeatsOf } from '../tickets/seats/store.ts';
import { changeUser } from '../users/store.ts';
import type { User } from '../users/user.ts';
import { unlinkWallet } from '../wallets/link-wallet.ts';
import { nextErasurePass } from './erasure.ts';
import {
  eraseAttendee,
  eraseCustomer,
  findErasure,
  ordersOf,
  postponeErasure,
  receivedSeatsOf,
  removeErasure,
  removeMessages,
} from './store.ts';

/** The attributes of an erased account, without personal data. */
export const nobody = {
  name: '',
  email: '',
  walletAddress: null,
  emailVerified: false,
} as const satisfies Partial<User>;

/**
 * Erases a person's data from their records, in one pass. A pass is idempotent, and after a crash the next pass
 * continues. The last pass begins when all access tokens of the person have expired.
 */
export async function erasePerson(userId: string): Promise<void> {
  const erasure = await findErasure(userId);
  if (!erasure) return;
  const now = Date.now();
  await unlinkWallet(userId);
  await changeUser(userId, nobody, new Date(now).toISOString());
  for await (const order of ordersOf(userId)) {
    if (order.customerEmail || order.customerName) await eraseCustomer(order);
    for (const seat of (await readSeatsOf(order.id)).values()) {
      const holder = seat.holderUserId ?? userId;
      if (holder === userId && (seat.attendee || seat.offer)) await eraseAttendee(seat);
    }
  }
  for await (const seat of receivedSeatsOf(userId)) {
    if (seat.attendee || seat.offer) await eraseAttendee(seat);
  }
  await removeMemberships(userId);
  await removeMessages(userId);
  const next = nextErasurePass(erasure, now);
  if (next === undefined) await removeErasure(erasure);
  else await postponeErasure(erasure, next);
}
