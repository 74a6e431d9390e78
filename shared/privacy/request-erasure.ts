import { toAuditActor } from '../accounts/audit/audit.ts';
import { insertAuditEntry } from '../accounts/audit/store.ts';
import { type Actor, admin, authorize, sameUser } from '../accounts/auth/authorize.ts';
import { removeCredential, removeReservation } from '../accounts/auth/store.ts';
import { closeAccount, findGuestId, getSessionOwner, removeGuest } from '../accounts/users/store.ts';
import { isClosed } from '../accounts/users/user.ts';
import { unlinkWallet } from '../accounts/wallets/unlink-wallet.ts';
import { type Event, inventoryOf, isUnfinished, latestEndOf } from '../catalog/events/event.ts';
import { queryOrganizerEvents } from '../catalog/events/store.ts';
import { hasSoldTickets } from '../catalog/inventory/store.ts';
import { conflict, notFound } from '../core/errors.ts';
import { hashEmail } from '../core/ids.ts';
import { transact } from '../dynamo/write.ts';
import { readBalances } from '../money/ledger/store.ts';
import { queryOrganizerPayouts } from '../money/payouts/store.ts';
import { queryBuyerOrders } from '../orders/store.ts';
import { sendMessage } from '../runtime/queue.ts';
import { log } from '../runtime/telemetry.ts';
import { erasedAccount, isOrderInProgress } from './erasure.ts';
import { insertErasure } from './store.ts';

/**
 * Closes an account, with the guest that belongs to it, and starts the erasure of the person's data. The account's name, addresses and wallet are removed
 * at once, and those in orders, seats and notifications within about 20 minutes. Records of sales, payments, payouts
 * and mints stay.
 * @throws DomainError 404 for an unknown user and for callers other than the user and administrators, 409 while the
 * user has an order or a payout in progress, a balance or a debt, or an event that has not ended, and `busy` when one is
 * opened at the same time
 */
export async function requestErasure(userId: string, caller: Actor): Promise<void> {
  authorize(caller, [sameUser(userId), admin], notFound('User'));
  const owner = await getSessionOwner(userId);
  const { user, ownsAddress, guestId: attachedId, previousAddress } = owner;
  if (isClosed(user)) return;
  // Only the owner of an address closes its guest as well.
  const guestId = user.role === 'GUEST' ? userId : ownsAddress ? await findGuestId(user.email) : undefined;
  // The guest of an earlier address is found by the account only.
  const guestIds = new Set([guestId, attachedId].filter((id) => id !== undefined));
  guestIds.delete(userId);
  // Before their events: the transaction then finds out about any that is opened meanwhile.
  const owners = [owner, ...(await Promise.all([...guestIds].map(getSessionOwner)))];
  const userIds = owners.map((each) => each.user.id);
  for (const id of userIds) await requireNothingOpen(id);
  await unlinkWallet(userId);
  const timestamp = new Date().toISOString();
  await transact([
    ...(user.role === 'GUEST' ? [] : [removeCredential(user.email, userId)]),
    ...(previousAddress && Date.parse(previousAddress.until) > Date.now()
      ? [removeReservation(previousAddress.email, userId)]
      : []),
    ...(guestId === undefined ? [] : [removeGuest(user.email, guestId)]),
    ...owners.map((each) => closeAccount(each, timestamp, erasedAccount)),
    ...userIds.map((id) => insertErasure(id, ownsAddress ? hashEmail(user.email) : undefined, timestamp)),
    insertAuditEntry({
      action: 'person-erased',
      by: toAuditActor(caller),
      details: { userId },
      at: timestamp,
    }),
  ]);
  for (const id of userIds) await queueErasure(id);
}

async function queueErasure(userId: string): Promise<void> {
  try {
    await sendMessage('run-event-jobs', { type: 'erase-person', userId }, { tenant: userId });
  } catch (error) {
    // The sweep queues the erasure.
    log.error('Erasure could not be queued', error, { userId });
  }
}

async function requireNothingOpen(userId: string): Promise<void> {
  for await (const order of queryBuyerOrders(userId)) {
    if (isOrderInProgress(order))
      throw unfinishedBusiness('an order is still being paid, delivered or refunded');
  }
  for await (const { status } of queryOrganizerPayouts(userId)) {
    if (status === 'PENDING' || status === 'SENT') throw unfinishedBusiness('a payout is under way');
  }
  const balances = await readBalances(userId);
  if (balances.some(({ available, pending, upcoming }) => available > 0n || pending > 0n || upcoming > 0n)) {
    throw unfinishedBusiness('there is a balance to be paid out');
  }
  if (balances.some(({ disputed }) => disputed > 0n)) {
    throw unfinishedBusiness('a payment is disputed by its buyer');
  }
  if (balances.some(({ available, upcoming }) => available < 0n || upcoming < 0n)) {
    throw unfinishedBusiness('refunds after a payout have left a debt');
  }
  for await (const event of queryOrganizerEvents(userId)) {
    if (await isOpen(event)) throw unfinishedBusiness(`the event ${event.title} is not over`);
  }
}

/**
 * Returns whether an event is on sale, or people hold tickets to it: whatever its status, until its latest end, and
 * when it is cancelled, until all refunds are posted to the ledger.
 */
async function isOpen(event: Event): Promise<boolean> {
  const now = Date.now();
  if (isUnfinished(event, now)) return true;
  const mayOwe = event.status === 'CANCELLED' || latestEndOf(event) > now;
  return mayOwe && (await hasSoldTickets(inventoryOf(event)));
}

const unfinishedBusiness = (reason: string) =>
  conflict('unfinished-business', `The account can not be closed yet: ${reason}`);
