import { listEvents, ok, type User } from 'boxoffice-client';
import { EventCard } from '../components/event-card.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/resource.tsx';
import { formatEventAvailability } from '../format.ts';
import { describeEventState } from '../organizing/event-actions.tsx';
import { t } from '../texts/organizing.ts';

/** An organizer's own events, newest first. Each links to its sales. */
export function OrganizerPage() {
  return (
    <Page title={t('myEvents')}>
      <div class="title-row">
        <h1>{t('myEvents')}</h1>
        <p class="actions">
          <a class="button" href="/organizer/page">
            {t('events.page')}
          </a>
          <a class="button" href="/organizer/integrations">
            {t('events.integrations')}
          </a>
          <a class="button" href="/organizer/payouts">
            {t('events.payouts')}
          </a>
          <a class="button primary" href="/organizer/events/new">
            {t('events.create')}
          </a>
        </p>
      </div>
      <PagedList
        load={(cursor) => ok(listEvents({ organizerId: 'me', cursor }))}
        items={({ events }) => events}
        empty={t('events.none')}
      >
        {(events) => (
          <ul class="cards">
            {events.map((event) => (
              <EventCard key={event.id} event={event} href={`/organizer/events/${event.id}`}>
                <b class={event.status === 'DRAFT' ? 'new' : undefined}>{describeEventState(event)}</b>{' '}
                <span>{formatEventAvailability(event)}</span>
              </EventCard>
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

/** The events at which the user works. */
export function StaffedEventsPage({ user }: { user: User }) {
  return (
    <Page title={t('events.work')}>
      <h1>{t('events.work')}</h1>
      <PagedList
        load={(cursor) => ok(listEvents({ staff: 'me', cursor }))}
        items={({ events }) => events}
        empty={t(user.emailVerified ? 'events.noWork' : 'events.unconfirmed')}
      >
        {(events) => (
          <ul class="cards">
            {events.map((event) => (
              <EventCard
                key={event.id}
                event={event}
                href={
                  event.staffRole === 'manager'
                    ? `/organizer/events/${event.id}`
                    : `/organizer/check-in/${event.id}`
                }
              >
                <b>{t(event.staffRole === 'manager' ? 'staff.roles.manager' : 'staff.roles.door')}</b>
              </EventCard>
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}
