import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { type Actor, authorize } from '../../accounts/auth/authorize.ts';
import { type DoorChange, readDoorChanges } from '../../catalog/door/changes.ts';
import { type CheckInList, type Event, tierNameOf } from '../../catalog/events/event.ts';
import { getVisibleEvent } from '../../catalog/events/read-events.ts';
import { staffOf } from '../../catalog/staff/entitlements.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { toView } from '../../core/schemas.ts';
import { eventOrderPartitions, keys } from '../../dynamo/keys.ts';
import { getItems, queryAll } from '../../dynamo/read.ts';
import { itemOfSeat, type Order, toOrder } from '../../orders/order.ts';
import { findOrders } from '../../orders/store.ts';
import { admissionEnd } from '../check-in/admissions.ts';
import { barringAdmission, findList } from '../check-in/passage.ts';
import { seatOrInitial } from '../ticket.ts';
import { hashCodes } from './code-hash.ts';
import { type DoorSeat, type DoorView, type doorQuery, doorView } from './views.ts';

/** About how many seats a page has, and the most orders that it examines. */
const pageSeats = 2_000;
const pageOrders = 1_500;
/** The most changed seats of one answer. */
const changedSeats = 4_000;

/**
 * Lists the seats of an event for a device at its door: page by page all that were sold, and from then on those that have
 * changed. A cursor is a time from which changes are read, the version of the event, and the last order of the page while
 * the list is loaded.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and the staff, 400 for a
 * cursor of another format
 */
export async function listDoor(
  caller: Actor,
  eventId: string,
  { cursor, listId }: z.infer<typeof doorQuery>,
): Promise<DoorView> {
  const event = await authorizeDoor(caller, eventId);
  const door = { event, list: findList(event, listId) };
  const startedAt = Date.now();
  const position = cursor === undefined ? undefined : parseCursor(cursor);
  // A change of the event changes what devices show of its seats, and which changes are recorded.
  if (position?.version !== versionOf(event)) return listPage(door, startedAt);
  const { since, after } = position;
  if (after !== undefined) return listPage(door, since, after);
  const changes = await readDoorChanges(event, since);
  const changed = changes && (await expandChanges(changes));
  // A device that was away for long, or that names an old time, loads the list again, page by page.
  if (!changed || changed.length > changedSeats) return listPage(door, startedAt);
  const seats = await readSeats(door, changed);
  const next = formatCursor(event, startedAt);
  return toDoorView(event, { seats, isFirst: false, isComplete: true, cursor: next });
}

/** Returns the event of a door. @throws DomainError 404, 403 */
export async function authorizeDoor(caller: Actor, eventId: string): Promise<Event> {
  const event = await getVisibleEvent(eventId, caller.userId);
  const refusal = caller.key
    ? notFound('Event')
    : forbidden('Only the organizer and the staff of the event may do this');
  authorize(caller, [await staffOf(event, caller)], refusal);
  return event;
}

/** A door of an event, by the list that it admits by. */
interface Door {
  event: Event;
  list: CheckInList | undefined;
}

async function listPage(door: Door, since: number, after?: string): Promise<DoorView> {
  const { event } = door;
  const source = {
    index: 'byEvent',
    partition: eventOrderPartitions(event.id),
    ...(after && { to: after }),
  } as const;
  const seats: SeatOfOrder[] = [];
  let examined = 0;
  let last = '';
  let isComplete = true;
  for await (const item of queryAll(source, 300)) {
    const order = toOrder(item);
    if (order.id === after) continue;
    if (examined === pageOrders || seats.length >= pageSeats) {
      isComplete = false;
      break;
    }
    examined++;
    last = order.id;
    seats.push(...seatsAtDoor(order));
  }
  return toDoorView(event, {
    seats: await readSeats(door, seats),
    isFirst: after === undefined,
    isComplete,
    cursor: formatCursor(event, since, isComplete ? undefined : last),
  });
}

/** Identifies what an event is to its doors: what changes by its sale does not count. */
function versionOf({ updatedAt, saleVersion, queueState, poolSellsToList, tiers, ...event }: Event): string {
  const shown = { ...event, tiers: tiers.map(({ id, name }) => ({ id, name })) };
  const text = JSON.stringify(shown, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function formatCursor(event: Event, since: number, after?: string): string {
  return [since, versionOf(event), after].filter(Boolean).join('.');
}

function parseCursor(cursor: string): { since: number; version: string; after?: string } {
  const [, since, version, after] = /^(\d{13})\.([\w-]{16})(?:\.(\w{1,64}))?$/.exec(cursor) ?? [];
  if (since === undefined || version === undefined) throw invalid('cursor is not valid', 'invalid-cursor');
  return { since: Number(since), version, ...(after && { after }) };
}

interface SeatOfOrder {
  order: Order;
  number: number;
}

/** Returns the seats of an order that a device knows, also those that were refunded; none of an order that has no seats. */
function seatsAtDoor(order: Order): SeatOfOrder[] {
  const hadSeats = order.paymentStatus === 'COMPLETED' && (order.holdsInventory || order.refund);
  return hadSeats ? Array.from({ length: order.quantity }, (_, index) => ({ order, number: index + 1 })) : [];
}

/** Returns the seats that changes name, each once. */
async function expandChanges(changes: readonly DoorChange[]): Promise<SeatOfOrder[]> {
  const numbers = new Map<string, Set<number> | 'all'>();
  for (const { orderIds, number } of changes) {
    for (const orderId of orderIds) {
      const known = numbers.get(orderId);
      if (number === undefined) numbers.set(orderId, 'all');
      else if (known !== 'all') numbers.set(orderId, (known ?? new Set()).add(number));
    }
  }
  return (await findOrders([...numbers.keys()])).flatMap((order) => {
    const changed = numbers.get(order.id);
    return seatsAtDoor(order).filter(({ number }) => changed === 'all' || changed?.has(number));
  });
}

async function readSeats(door: Door, seats: readonly SeatOfOrder[]): Promise<DoorSeat[]> {
  const items = await getItems(seats.map(({ order, number }) => keys.seat(order.id, number)));
  return Promise.all(seats.map(({ order, number }, index) => toDoorSeat(door, order, number, items[index])));
}

/** Returns a seat as a device at the door stores it. @param item the stored seat */
export async function toDoorSeat(
  { event, list }: Door,
  order: Order,
  number: number,
  item: unknown,
): Promise<DoorSeat> {
  const seat = seatOrInitial({ orderId: order.id, number }, item);
  const { tierId, isAddOn } = itemOfSeat(order, number);
  const barring = barringAdmission(seat, { list, at: new Date().toISOString() }, event);
  const isRefunded = !order.holdsInventory || order.returned?.includes(number);
  const isTransferred = seat.transfers > 0;
  const [hash, ...otherHashes] = await hashCodes(seat);
  return {
    seat: `${order.id}.${number}`,
    hash,
    ...(otherHashes.length > 0 && { otherHashes }),
    tierId,
    tier: tierNameOf(event, { tierId }),
    kind: isAddOn ? 'addon' : 'ticket',
    attendee: seat.attendee?.name ?? order.customerName,
    reference: order.reference,
    status: isRefunded ? 'refunded' : barring ? 'admitted' : isTransferred ? 'transferred' : 'valid',
    admittedAt: barring?.checkedInAt ?? null,
  };
}

function toDoorView(event: Event, page: Omit<DoorView, 'event'>): DoorView {
  const endsAt = new Date(admissionEnd(event)).toISOString();
  return toView(doorView, page, { event: { ...event, endsAt } });
}
