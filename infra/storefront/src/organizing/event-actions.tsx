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
import { t } from '../texts/organizing.ts';

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
            {t('event.putOnSale')}
          </button>
        )}
        <a
          class={event.status === 'PUBLISHED' ? 'button primary' : 'button'}
          href={`/organizer/check-in/${event.id}`}
        >
          {t('event.checkIn')}
        </a>
        <a class="button" href={`/organizer/attendees/${event.id}`}>
          {t('event.attendees')}
        </a>
        <a class="button" href={`/organizer/door/${event.id}`}>
          {t('event.door')}
        </a>
        {!isCancelled && (
          <a class="button" href={`/organizer/edit/${event.id}`}>
            {t('event.edit')}
          </a>
        )}
        <a class="button" href={`/organizer/codes/${event.id}`}>
          {t('event.codes')}
        </a>
        {isOwner && (
          <a class="button" href={`/organizer/staff/${event.id}`}>
            {t('event.staff')}
          </a>
        )}
        {event.waitingList && (
          <a class="button" href={`/organizer/waiting-list/${event.id}`}>
            {t('event.waitingList')}
          </a>
        )}
        {event.queue && event.status === 'PUBLISHED' && (
          <a class="button" href={`/organizer/queue/${event.id}`}>
            {t('event.queue')}
          </a>
        )}
        {isOwner && <Duplicate event={event} />}
        {event.status === 'PUBLISHED' && (
          <Confirmation
            button={t('event.takeOff')}
            title={t('event.takeOffTitle')}
            submit={t('event.takeOff')}
            onConfirm={() => setStatus('DRAFT')}
          >
            <p>{t('event.takeOffText')}</p>
          </Confirmation>
        )}
        {!isCancelled && (
          <Confirmation
            button={t('event.cancel')}
            title={t('event.cancelTitle', { event: event.title })}
            submit={t('event.cancel')}
            onConfirm={() => setStatus('CANCELLED')}
          >
            <CancellationNotice hasBuyers={hasBuyers} />
          </Confirmation>
        )}
        {isOwner && !hasOrders && !hasBuyers && (
          <Confirmation
            button={t('delete')}
            title={t('event.deleteTitle', { event: event.title })}
            submit={t('event.deleteSubmit')}
            onConfirm={remove}
          >
            <p>{t('event.deleteText')}</p>
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
    if (!start) throw new FieldsRefused({ startDate: t('event.noSuchTime') });
    const { event } = await sendOnce((options) => ok(duplicateEvent(id, { startDate: start }, options)));
    route(`/organizer/edit/${event.id}`);
  };
  return (
    <Confirmation<{ startDate: string }>
      button={t('event.duplicate')}
      title={t('event.duplicateTitle')}
      submit={t('event.duplicateSubmit')}
      onConfirm={duplicate}
    >
      <p>{t('event.duplicateText')}</p>
      <Field
        name="startDate"
        label={t('event.duplicateStart')}
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
        <b>{t('event.final')}</b> {t('event.cancelText')}
      </p>
      <p>{t(hasBuyers ? 'event.cancelBuyers' : 'event.cancelNoBuyers')}</p>
    </>
  );
}

/** Describes an event's state in a few words for its organizer. @param now epoch milliseconds */
export function describeEventState(event: Event, now = Date.now()): string {
  if (event.status === 'CANCELLED') return t('states.cancelled');
  if (event.status === 'DRAFT') return t('states.draft');
  if (Date.parse(event.endDate) < now) return t('states.over');
  if (Date.parse(event.saleEnd) < now) return t('states.ended');
  if (Date.parse(event.saleStart) > now) return t('states.notBegun');
  return t(event.isPublic ? 'states.onSale' : 'states.notListed');
}
