import { authorize } from '../../accounts/auth/authorize.ts';
import { toUser } from '../../accounts/users/user.ts';
import { type Event, isAddOn, tierNameOf } from '../../catalog/events/event.ts';
import { getVisibleEvent } from '../../catalog/events/read-events.ts';
import { roleAt } from '../../catalog/staff/entitlements.ts';
import { forbidden } from '../../core/errors.ts';
import { toView } from '../../core/schemas.ts';
import { eventOrderPartitions, keys } from '../../dynamo/keys.ts';
import { getItems, type Item, queryPage } from '../../dynamo/read.ts';
import { readSoldOrders } from '../../money/ledger/store.ts';
import { describeTiers, itemOfSeat, type Order, seatsOf, toOrder } from '../../orders/order.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { findConflicts } from '../door/store.ts';
import { findRecentlyAdmitted, readAdmissionCount, readSeatsOf } from '../seats/store.ts';
import { admissionError } from './admissions.ts';
import { newestAdmission } from './passage.ts';
import {
  type Attendance,
  type AttendanceQuery,
  type DoorConflict,
  doorConflict,
  type ExpectedOrder,
  expectedOrder,
  type RecentAdmission,
  recentAdmission,
} from './views.ts';

/** The maximum number of latest admissions. */
const maximumRecent = 20;

/** The maximum number of conflicts: more than an event with thousands of tickets has. */
const maximumConflicts = 1_000;

/**
 * Returns the number of an event's admissions, the latest of them, and the paid orders that a search finds. For callers
 * with the role `door`, and for API keys that may not read orders, e-mail addresses are neither shown nor searched, so they
 * can't be guessed.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and the staff
 */
export async function readAttendance(
  eventId: string,
  { userId, key }: Pick<AccessClaims, 'userId' | 'key'>,
  query: AttendanceQuery,
): Promise<Attendance> {
  const event = await getVisibleEvent(eventId, userId);
  const role = await roleAt(event, { userId });
  const refusal = forbidden('Only the organizer and the staff of the event may do this');
  authorize({ userId }, [() => role !== undefined], refusal);
  const showsAddresses = role !== 'door' && (!key || key.scopes.includes('orders:read'));
  const [admitted, expected, recent, conflicts, searchResult] = await Promise.all([
    readAdmissionCount(eventId),
    countSoldTickets(event),
    readRecentAdmissions(event),
    role === 'door' ? [] : readConflicts(eventId),
    searchOrders(event, query, showsAddresses),
  ]);
  return { admitted, expected, recent, conflicts, ...searchResult };
}

/**
 * Returns the number of tickets sold, from the event's ledger entries. One request reads at least about 3,000 orders.
 */
async function countSoldTickets({ organizerId, id, tiers }: Event): Promise<number> {
  const addOns = new Set(tiers.filter(isAddOn).map(({ id }) => id));
  // A refunded order has two entries, the second with negative quantities.
  let soldCount = 0;
  for await (const { items } of readSoldOrders(organizerId, id)) {
    for (const { tierId, quantity } of items) soldCount += addOns.has(tierId) ? 0 : quantity;
  }
  return soldCount;
}

async function readRecentAdmissions(event: Event): Promise<RecentAdmission[]> {
  const seats = await findRecentlyAdmitted(event.id, maximumRecent);
  const orders = await getItems(seats.map(({ orderId }) => keys.order(orderId)));
  return seats.flatMap((seat, index) => {
    const { orderId, number, attendee } = seat;
    const { checkedInAt } = newestAdmission(seat) ?? {};
    if (!orders[index] || checkedInAt === undefined) return [];
    const order = toOrder(orders[index]);
    const tierName = tierNameOf(event, itemOfSeat(order, number));
    const attendeeName = attendee?.name ?? null;
    return [toView(recentAdmission, order, { orderId, number, tierName, attendeeName, checkedInAt })];
  });
}

async function readConflicts(eventId: string): Promise<DoorConflict[]> {
  const scans = await findConflicts(eventId, maximumConflicts);
  const userIds = scans.flatMap(({ by, first }) => [by, first?.by ?? []].flat());
  const names = await readNames(userIds);
  return scans.flatMap(({ result, first = null, by, ...scan }) =>
    result === 'admitted'
      ? []
      : [
          toView(doorConflict, scan, {
            result,
            by: names.get(by) ?? null,
            first: first && { ...first, by: names.get(first.by ?? '') ?? null },
          }),
        ],
  );
}

/** Reads the names of users; those who are erased have none. */
async function readNames(userIds: readonly string[]): Promise<Map<string, string>> {
  const items = await getItems([...new Set(userIds)].map(keys.user));
  return new Map(items.flatMap((item) => (item ? [[toUser(item).id, toUser(item).name] as const] : [])));
}

async function searchOrders(event: Event, { q, ...query }: AttendanceQuery, showsAddresses: boolean) {
  if (q === undefined) return { orders: [], nextCursor: null };
  const matches = createOrderFilter(q, showsAddresses);
  const source = { index: 'byEvent', partition: eventOrderPartitions(event.id) } as const;
  const filter = (item: Item) => matches(toOrder(item));
  const { items, nextCursor } = await queryPage({ ...source, filter }, query);
  const orders = await Promise.all(
    items.map(async (item) => {
      const order = toOrder(item);
      return toExpectedOrder(order, event, showsAddresses, q ? await readSeats(order, event) : []);
    }),
  );
  return { orders, nextCursor };
}

/** The maximum number of an order's seats that a search shows. */
const maximumSeats = 50;

/** Reads the valid seats of an order, to be admitted without their codes. */
async function readSeats(order: Order, event: Event): Promise<ExpectedOrder['seats']> {
  if (admissionError(order, event)) return [];
  const stored = await readSeatsOf(order.id);
  const valid = seatsOf(order).filter((number) => !order.returned?.includes(number));
  return valid.slice(0, maximumSeats).map((number) => {
    const seat = stored.get(number);
    const tierName = tierNameOf(event, itemOfSeat(order, number));
    return {
      number,
      tierName,
      attendeeName: seat?.attendee?.name ?? null,
      checkedInAt: seat?.checkedInAt ?? null,
    };
  });
}

function createOrderFilter(q: string, searchesAddresses: boolean) {
  const text = q.toLowerCase();
  const words = text.split(/\s+/);
  return (order: Order) => {
    if (order.paymentStatus !== 'COMPLETED') return false;
    const name = order.customerName.toLowerCase();
    return (
      words.every((word) => name.includes(word)) ||
      order.id === text ||
      order.reference.toLowerCase() === text ||
      (searchesAddresses && order.customerEmail.toLowerCase().includes(text))
    );
  };
}

function toExpectedOrder(
  order: Order,
  event: Event,
  showsAddress: boolean,
  seats: ExpectedOrder['seats'],
): ExpectedOrder {
  const { id: orderId, customerEmail, admitted = 0, refund, holdsInventory } = order;
  return toView(expectedOrder, order, {
    orderId,
    customerEmail: showsAddress ? customerEmail : undefined,
    tierName: describeTiers(event, order),
    admitted,
    status: refund ? 'refunded' : holdsInventory ? 'valid' : 'no-seat',
    seats,
  });
}
