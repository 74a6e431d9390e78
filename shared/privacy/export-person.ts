import { admin, authorize, ownIdsOf, owns, sameUser } from '../accounts/auth/authorize.ts';
import { findGuestId, getSessionOwner } from '../accounts/users/store.ts';
import { queryOrganizerEvents } from '../catalog/events/store.ts';
import { toOrganizerPageView } from '../catalog/organizer-page/page.ts';
import { findPage } from '../catalog/organizer-page/store.ts';
import type { StaffMember } from '../catalog/staff/staff.ts';
import { queryMemberships } from '../catalog/staff/store.ts';
import { notFound } from '../core/errors.ts';
import { maximumResponseBytes, responseBytes } from '../core/response-size.ts';
import { queryNotifications } from '../messaging/notifications/store.ts';
import { readBalances } from '../money/ledger/store.ts';
import { queryOrganizerPayouts } from '../money/payouts/store.ts';
import { toBalanceView, toPayoutView } from '../money/payouts/views.ts';
import type { Answer } from '../orders/answers/answer.ts';
import { readAnswers } from '../orders/answers/store.ts';
import type { Order } from '../orders/order.ts';
import { showOrders } from '../orders/read-orders.ts';
import { queryBuyerOrders } from '../orders/store.ts';
import { type AccessClaims, invalidToken } from '../runtime/tokens.ts';
import { queryReceivedSeats, readSeatsOf } from '../tickets/seats/store.ts';
import { findTickets } from '../tickets/store.ts';
import { holderOf, type Seat, toTicketView } from '../tickets/ticket.ts';
import { maximumEntries, type PersonalData } from './personal-data.ts';

/** The range of all ticket ids: `~` sorts after their characters. */
const allTicketIds = { from: '', to: '~' };
const ticketsPerQuery = 100;

/**
 * Collects the stored data about a person.
 * @throws DomainError 404 for callers other than the user and administrators; 401 for an access token from before a new password:
 * somebody else may have registered with the address
 */
export async function exportPerson(userId: string, caller: AccessClaims): Promise<PersonalData> {
  authorize(caller, [sameUser(userId), admin], notFound('User'));
  const { user, guestId: attachedId, ownsAddress, ...person } = await getSessionOwner(userId);
  // The guest of an account has no sessions of its own.
  const { sessionVersion } = userId === caller.userId ? person : await getSessionOwner(caller.userId);
  if (!admin(caller) && !owns(caller, { userId: caller.userId, sessionVersion })) throw invalidToken();
  // Also a guest's orders, whether they were added to the account or not.
  const guestId = attachedId ?? (ownsAddress ? await findGuestId(user.email) : undefined);
  const userIds = ownIdsOf({ userId, guestId });
  let isComplete = true;
  const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
    const collectedItems: Item[] = [];
    for await (const item of items) {
      if (collectedItems.length === maximumEntries) {
        isComplete = false;
        break;
      }
      collectedItems.push(item);
    }
    return collectedItems;
  };
  let bytesLeft = maximumResponseBytes;
  /** Leaves out entries for which the response has no room: guests may order with this address, and answer at length. */
  const withinResponse = <Item>(items: readonly Item[]): Item[] =>
    items.filter((item) => {
      bytesLeft -= responseBytes(item);
      if (bytesLeft < 0) isComplete = false;
      return bytesLeft >= 0;
    });
  const orders = await collect(queryOf(userIds, queryBuyerOrders));
  const receivedSeats = await collect(queryOf(userIds, queryReceivedSeats));
  const seats = [...(await collect(queryOwnSeats(userIds, orders))), ...receivedSeats];
  const page = await findPage(userId);
  return {
    exportedAt: new Date().toISOString(),
    user,
    page: page ? toOrganizerPageView(page) : null,
    balances: (await readBalances(userId)).map(toBalanceView),
    payouts: withinResponse((await collect(queryOrganizerPayouts(userId))).map(toPayoutView)),
    events: withinResponse(
      (await collect(queryOrganizerEvents(userId))).map(({ id, title, createdAt }) => ({
        id,
        title,
        createdAt,
      })),
    ),
    staff: ownsAddress ? withinResponse((await collect(queryMemberships(user.email))).map(toStaffEntry)) : [],
    orders: withinResponse(await showOrders(orders)),
    tickets: withinResponse(
      (await collect(queryOf(userIds, (id) => findTickets(id, allTicketIds, ticketsPerQuery)))).map(
        toTicketView,
      ),
    ),
    seats: withinResponse(seats.map(toSeatEntry)),
    notifications: withinResponse(await collect(queryOf(userIds, queryNotifications))),
    answers: withinResponse(await collect(queryAnswersOf(userIds, orders, receivedSeats))),
    isComplete,
  };
}

/** Yields what belongs to the user records of a person: the account, and the guest that belongs to it. */
async function* queryOf<Item>(userIds: readonly string[], query: (userId: string) => AsyncGenerator<Item>) {
  for (const userId of userIds) yield* query(userId);
}

/** Yields the answers for a person's orders and for the seats that they hold. */
async function* queryAnswersOf(
  userIds: readonly string[],
  orders: readonly Order[],
  received: readonly Seat[],
) {
  for (const order of orders.filter(({ hasAnswers }) => hasAnswers)) {
    const [answers, seats] = await Promise.all([readAnswers([order.id]), readSeatsOf(order.id)]);
    const isOwn = (number: number | undefined) => {
      const seat = seats.get(number ?? 0);
      return !seat || userIds.includes(holderOf(seat, order));
    };
    yield* toEntries(order.id, answers[0]?.answers ?? [], isOwn);
  }
  for (const { orderId, number: held } of received) {
    const [stored] = await readAnswers([orderId]);
    yield* toEntries(orderId, stored?.answers ?? [], (number) => number === held);
  }
}

function toEntries(
  orderId: string,
  answers: readonly Answer[],
  isOwn: (number: number | undefined) => boolean,
) {
  return answers.filter(({ number }) => isOwn(number)).map((answer) => ({ ...answer, orderId }));
}

/** Returns the seats of a user's own orders, without those that another user holds. */
async function* queryOwnSeats(userIds: readonly string[], orders: readonly Order[]): AsyncGenerator<Seat> {
  for (const order of orders) {
    for (const seat of (await readSeatsOf(order.id)).values()) {
      if (userIds.includes(holderOf(seat, order))) yield seat;
    }
  }
}

const toSeatEntry = ({ orderId, number, attendee, offer, checkedInAt }: Seat) => ({
  orderId,
  number,
  attendee,
  offeredTo: offer?.email,
  checkedInAt,
});

const toStaffEntry = ({ eventId, role, addedAt }: StaffMember) => ({ eventId, role, addedAt });
