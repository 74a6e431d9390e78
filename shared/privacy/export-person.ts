import { type Actor, admin, authorize, sameUser } from '../auth/authorize.ts';
import { notFound } from '../core/errors.ts';
import { queryOrganizerEvents } from '../events/store.ts';
import { readBalances } from '../ledger/store.ts';
import { queryNotifications } from '../notifications/store.ts';
import type { Order } from '../orders/order.ts';
import { queryBuyerOrders } from '../orders/store.ts';
import { toOrderView } from '../orders/views.ts';
import { toBalanceView, toPayoutView } from '../payouts/payout-view.ts';
import { queryOrganizerPayouts } from '../payouts/store.ts';
import type { StaffMember } from '../staff/staff.ts';
import { queryMemberships } from '../staff/store.ts';
import { holderOf, type Seat } from '../tickets/seats/seat.ts';
import { queryReceivedSeats, readSeatsOf } from '../tickets/seats/store.ts';
import { findTickets } from '../tickets/store.ts';
import { toTicketView } from '../tickets/ticket.ts';
import { getUser } from '../users/store.ts';
import { maximumEntries, type PersonalData } from './personal-data.ts';

/** The range of all ticket ids: `~` sorts after their characters. */
const allTicketIds = { from: '', to: '~' };
const ticketsPerQuery = 100;

/**
 * Collects the stored data about a person.
 * @throws DomainError 404 for callers other than the user and administrators
 */
export async function exportPerson(userId: string, caller: Actor): Promise<PersonalData> {
  authorize(caller, [sameUser(userId), admin], notFound('User'));
  const user = await getUser(userId);
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
  const orders = await collect(queryBuyerOrders(userId));
  const seats = [
    ...(await collect(queryOwnSeats(userId, orders))),
    ...(await collect(queryReceivedSeats(userId))),
  ];
  return {
    exportedAt: new Date().toISOString(),
    user,
    orders: orders.map(toOrderView),
    seats: seats.map(toSeatEntry),
    tickets: (await collect(findTickets(userId, allTicketIds, ticketsPerQuery))).map(toTicketView),
    notifications: await collect(queryNotifications(userId)),
    events: (await collect(queryOrganizerEvents(userId))).map(({ id, title, createdAt }) => ({
      id,
      title,
      createdAt,
    })),
    staff: (await collect(queryMemberships(userId))).map(toStaffEntry),
    balances: (await readBalances(userId)).map(toBalanceView),
    payouts: (await collect(queryOrganizerPayouts(userId))).map(toPayoutView),
    isComplete,
  };
}

/** Returns the seats of a user's own orders, without those that another user holds. */
async function* queryOwnSeats(userId: string, orders: readonly Order[]): AsyncGenerator<Seat> {
  for (const order of orders) {
    for (const seat of (await readSeatsOf(order.id)).values()) {
      if (holderOf(seat, order) === userId) yield seat;
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
