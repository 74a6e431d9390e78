import {
  deleteEvent,
  duplicateEvent,
  type Event,
  type EventSummary,
  ok,
  updateEvent,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Confirmation } from '../components/confirmation.tsx';
import { Field } from '../components/form.tsx';
import { Failure } from '../components/resource.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { FieldsRefused } from '../errors.ts';
import { instantsAt, moveWallTime, wallTime } from '../event-form/zoned-time.ts';

interface EventActionsProps {
  event: Event;
  summary: EventSummary;
  /** Whether there are orders, even unpaid or refunded ones: such an event can't be deleted. */
  hasOrders: boolean;
  /** Whether the user is the event's organizer, and not one of its managers. */
  isOwner: boolean;
  /** Reloads the event. */
  onChange: () => Promise<void>;
}

/** The actions of the organizer and managers in the event's current state. */
export function EventActions({ event, summary, hasOrders, isOwner, onChange }: EventActionsProps) {
  const { route } = useLocation();
  const [error, setError] = useState<unknown>();
  const setStatus = async (status: Event['status']) => {
    await ok(updateEvent(event.id, { status }));
    await onChange();
  };
  const publish = () =>
    setStatus('PUBLISHED').then(() => {
      setError(undefined);
      route(`/organizer/events/${event.id}?on-sale`, true);
    }, setError);
  const remove = async () => {
    await ok(deleteEvent(event.id));
    route('/organizer');
  };
  const isCancelled = event.status === 'CANCELLED';
  const hasBuyers = summary.sold + summary.held > 0;
  return (
    <>
      <div class="actions">
        {event.status === 'DRAFT' && (
          <button type="button" class="primary" onClick={publish}>
            Put on sale
          </button>
        )}
        <a
          class={event.status === 'PUBLISHED' ? 'button primary' : 'button'}
          href={`/organizer/check-in/${event.id}`}
        >
          Check tickets in
        </a>
        <a class="button" href={`/organizer/attendees/${event.id}`}>
          Attendees
        </a>
        <a class="button" href={`/organizer/door/${event.id}`}>
          Door
        </a>
        {!isCancelled && (
          <a class="button" href={`/organizer/edit/${event.id}`}>
            Edit
          </a>
        )}
        <a class="button" href={`/organizer/codes/${event.id}`}>
          Codes
        </a>
        {isOwner && (
          <a class="button" href={`/organizer/staff/${event.id}`}>
            Staff
          </a>
        )}
        {event.waitingList && (
          <a class="button" href={`/organizer/waiting-list/${event.id}`}>
            Waiting list
          </a>
        )}
        {event.queue && event.status === 'PUBLISHED' && (
          <a class="button" href={`/organizer/queue/${event.id}`}>
            Queue
          </a>
        )}
        {isOwner && <Duplicate event={event} />}
        {event.status === 'PUBLISHED' && (
          <Confirmation
            button="Take off sale"
            title="Take the event off sale?"
            submit="Take off sale"
            onConfirm={() => setStatus('DRAFT')}
          >
            <p>
              It becomes a draft again: only you, its staff and the holders of tickets see it, and nobody can
              buy tickets until you put it on sale again. Tickets that are sold stay valid, and orders that
              are being paid are completed. Its earnings stay locked meanwhile.
            </p>
          </Confirmation>
        )}
        {!isCancelled && (
          <Confirmation
            button="Cancel the event"
            title={`Cancel ${event.title}?`}
            submit="Cancel the event"
            onConfirm={() => setStatus('CANCELLED')}
          >
            <CancellationNotice hasBuyers={hasBuyers} />
          </Confirmation>
        )}
        {isOwner && !hasOrders && !hasBuyers && (
          <Confirmation
            button="Delete"
            title={`Delete ${event.title}?`}
            submit="Delete the event"
            onConfirm={remove}
          >
            <p>The event, its codes and its staff are removed for good. Nobody is notified.</p>
          </Confirmation>
        )}
      </div>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

/** Copies the event as a draft. */
function Duplicate({ event: { id, eventDate, timezone } }: { event: Event }) {
  const { route } = useLocation();
  const { sendOnce } = useIdempotencyKey();
  const duplicate = async ({ startDate }: { startDate: string }) => {
    const [start] = instantsAt(startDate, timezone);
    if (!start) throw new FieldsRefused({ startDate: 'This time does not exist. Choose another one.' });
    const { event } = await sendOnce((options) => ok(duplicateEvent(id, { startDate: start }, options)));
    route(`/organizer/edit/${event.id}`);
  };
  return (
    <Confirmation<{ startDate: string }>
      button="Duplicate"
      title="Duplicate the event?"
      submit="Make a draft"
      onConfirm={duplicate}
    >
      <p>The copy is a draft with the same texts, picture, tiers and questions, without codes and staff.</p>
      <Field
        name="startDate"
        label="The copy begins"
        type="datetime-local"
        max="9999-12-31T23:59"
        defaultValue={nextWeek(wallTime(eventDate, timezone), wallTime(Date.now(), timezone))}
        required
      />
    </Confirmation>
  );
}

/** Returns a time on the same weekday, at least a week later and not in the past. */
function nextWeek(wall: string, now: string): string {
  const next = moveWallTime(wall, '2000-01-01T00:00', '2000-01-08T00:00');
  return next > now ? next : nextWeek(next, now);
}

function CancellationNotice({ hasBuyers }: { hasBuyers: boolean }) {
  return (
    <>
      <p>
        <b>This can’t be undone.</b> The sale ends, and tickets no longer admit anybody.
      </p>
      <p>
        {hasBuyers
          ? 'All buyers get their whole payment back, including the fee, even if some of their tickets were used or transferred. Buyers are notified by mail. The refunds are taken from your balance. Orders that are being paid right now are refunded as soon as the payment arrives.'
          : 'No tickets are sold. A payment that is under way is refunded as soon as it arrives.'}
      </p>
    </>
  );
}

/** Describes an event's state in a few words for its organizer. @param now epoch milliseconds */
export function describeEventState(event: Event, now = Date.now()): string {
  if (event.status === 'CANCELLED') return 'Cancelled';
  if (event.status === 'DRAFT') return 'Draft';
  if (Date.parse(event.endDate) < now) return 'Over';
  if (Date.parse(event.saleEnd) < now) return 'Sale ended';
  if (Date.parse(event.saleStart) > now) return 'Sale not begun';
  return event.isPublic ? 'On sale' : 'On sale, not listed';
}
