import { listEvents, ok } from 'boxoffice-client';
import { EventCard } from '../components/event-card.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/paged-list.tsx';

/** The events at which the user works. */
export function StaffedEventsPage() {
  return (
    <Page title="Events you work at">
      <h1>Events you work at</h1>
      <PagedList
        load={(cursor) => ok(listEvents({ staff: 'me', cursor }))}
        items={({ events }) => events}
        empty="No organizer has put you on the staff of an event."
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
