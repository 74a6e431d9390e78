import { listEvents, ok } from 'boxoffice-client';
import { EventCard } from '../components/event-card.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { formatEventAvailability } from '../format.ts';
import { describeEventState } from '../organizing/event-state.ts';

/** An organizer's own events, newest first. Each links to its sales. */
export function OrganizerPage() {
  return (
    <Page title="My events">
      <div class="title-row">
        <h1>My events</h1>
        <p class="actions">
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
