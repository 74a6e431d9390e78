import { listEvents, ok } from 'boxoffice-client';
import { useLocation } from 'preact-iso';
import { EventCard } from '../components/event-card.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/resource.tsx';
import { formatEventAvailability } from '../format.ts';
import { formatPriceRange } from '../money.ts';

/** The public upcoming events, soonest first. */
export function EventsPage() {
  const { query, route } = useLocation();
  const q = query.q || undefined;
  const search = (form: HTMLFormElement) => {
    const entered = `${new FormData(form).get('q')}`.trim();
    route(entered ? `/?${new URLSearchParams({ q: entered })}` : '/');
  };
  return (
    <Page title="Events">
      <h1>Events</h1>
      <search>
        <form
          class="search"
          onSubmit={(event) => {
            event.preventDefault();
            search(event.currentTarget);
          }}
        >
          <label for="q">Words in the title</label>
          <input key={q} id="q" name="q" type="search" defaultValue={q} />
          <button type="submit">Search</button>
        </form>
      </search>
      <PagedList
        load={(cursor) => ok(listEvents({ q, $from: new Date().toISOString(), cursor }))}
        items={({ events }) => events}
        inputs={[q]}
        empty={
          <>
            {q ? 'There is no such event on sale.' : 'There are no events on sale yet.'} Organizers can{' '}
            <a href="/organizer/events/new">create one</a>.
          </>
        }
      >
        {(events) => (
          <ul class="cards">
            {events.map((event) => (
              <EventCard key={event.id} event={event} href={`/events/${event.id}`}>
                {event.tiers.length > 0 && <b>{formatPriceRange(event)}</b>}{' '}
                <span>{formatEventAvailability(event)}</span>
              </EventCard>
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}
