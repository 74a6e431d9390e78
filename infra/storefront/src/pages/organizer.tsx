import { listEvents, ok, type User } from 'boxoffice-client';
import { EventCard } from '../components/event-card.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/resource.tsx';
import { formatEventAvailability } from '../format.ts';
import { describeEventState } from '../organizing/event-actions.tsx';

/** An organizer's own events, newest first. Each links to its sales. */
export function OrganizerPage() {
  return (
    <Page title="My events">
      <div class="title-row">
        <h1>My events</h1>
        <p class="actions">
          <a class="button" href="/organizer/page">
            Your page
          </a>
          <a class="button" href="/organizer/integrations">
            Integrations
          </a>
          <a class="button" href="/organizer/payouts">
            Balance and payouts
          </a>
          <a class="button primary" href="/organizer/events/new">
            Create an event
          </a>
        </p>
      </div>
      <PagedList
        load={(cursor) => ok(listEvents({ organizerId: 'me', cursor }))}
        items={({ events }) => events}
        empty="You have no events yet."
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
    <Page title="Events you work at">
      <h1>Events you work at</h1>
      <PagedList
        load={(cursor) => ok(listEvents({ staff: 'me', cursor }))}
        items={({ events }) => events}
        empty={
          user.emailVerified
            ? 'No organizer has put you on the staff of an event.'
            : 'If an organizer has invited you, confirm your e-mail address first. The link is in your mail, or on the page Account.'
        }
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
                <b>{event.staffRole === 'manager' ? 'Manager' : 'At the door'}</b>
              </EventCard>
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}
