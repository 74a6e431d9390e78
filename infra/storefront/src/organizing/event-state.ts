import type { Event } from 'boxoffice-client';

/** Describes an event's state in a few words for its organizer. @param now epoch milliseconds */
export function describeEventState(event: Event, now = Date.now()): string {
  if (event.status === 'CANCELLED') return 'Cancelled';
  if (event.status === 'DRAFT') return 'Draft';
  if (Date.parse(event.endDate) < now) return 'Over';
  if (Date.parse(event.saleEnd) < now) return 'Sale ended';
  if (Date.parse(event.saleStart) > now) return 'Sale not begun';
  return event.isPublic ? 'On sale' : 'On sale, not listed';
}
