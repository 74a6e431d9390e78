import { listEvents, ok } from 'boxoffice-client';
import { useLocation } from 'preact-iso';
import { EventCards } from '../components/event-card.tsx';
import { HeldOrders } from '../components/held-orders.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/resource.tsx';
import { instantsAt, visitorZone } from '../event-form/zoned-time.ts';
import { categories } from '../format.ts';

const filterNames = ['q', 'city', 'category', 'from', 'to'] as const;

/** The public upcoming events, soonest first, with a search. The filters are in the address. */
export function EventsPage() {
  const { query, route } = useLocation();
  const entered = Object.fromEntries(filterNames.map((name) => [name, query[name] || undefined]));
  const isFiltered = filterNames.some((name) => entered[name]);
  const search = (form: HTMLFormElement) => {
    const values = [...new FormData(form)].map(([name, value]) => [name, `${value}`.trim()]);
    const filters = new URLSearchParams(values.filter(([, value]) => value));
    route(filters.size > 0 ? `/?${filters}` : '/');
  };
  const { q, city, category } = entered;
  return (
    <Page title="Events">
      <h1>Events</h1>
      <HeldOrders />
      <search>
        <form
          key={JSON.stringify(entered)}
          class="search"
          onSubmit={(event) => {
            event.preventDefault();
            search(event.currentTarget);
          }}
        >
          <label for="q">Title, venue or city</label>
          <input id="q" name="q" type="search" defaultValue={q} />
          <button type="submit">Search</button>
          <details open={Boolean(city || category || entered.from || entered.to)}>
            <summary>Date, city and category</summary>
            <div class="pair">
              <label>
                From
                <input name="from" type="date" defaultValue={entered.from} />
              </label>
              <label>
                To
                <input name="to" type="date" defaultValue={entered.to} />
              </label>
              <label>
                City
                <input name="city" defaultValue={city} />
              </label>
              <label>
                Category
                <select name="category">
                  <option value="">All</option>
                  {categories.map(({ value, label }) => (
                    <option key={value} value={value} selected={value === category}>
                      {label}
                    </option>
                  ))}
                </select>
              </label>
            </div>
          </details>
        </form>
      </search>
      <PagedList
        load={(cursor) => ok(listEvents({ q, city, category, ...periodOf(entered), cursor }))}
        items={({ events }) => events}
        inputs={[JSON.stringify(entered)]}
        empty={
          isFiltered ? (
            <>
              No events found. <a href="/">Show all events</a>
            </>
          ) : (
            <>
              There are no events on sale yet. Organizers can <a href="/organizer/events/new">create one</a>.
            </>
          )
        }
      >
        {(events) => <EventCards events={events} />}
      </PagedList>
    </Page>
  );
}

/** Returns the API's period for days in the visitor's zone. Events that have begun are not listed. */
function periodOf({ from, to }: Record<string, string | undefined>) {
  const instant = (day: string, time: string) => instantsAt(`${day}T${time}`, visitorZone())[0];
  const now = new Date().toISOString();
  const start = (from && instant(from, '00:00')) || now;
  const end = to && instant(to, '23:59');
  return { $from: start > now ? start : now, ...(end && { to: end > now ? end : now }) };
}
