import { listEvents, ok } from 'boxoffice-client';
import { useLocation } from 'preact-iso';
import { EventCards } from '../components/event-card.tsx';
import { HeldOrders } from '../components/held-orders.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/resource.tsx';
import { instantsAt, visitorZone } from '../event-form/zoned-time.ts';
import { categories, categoryLabel } from '../format.ts';
import { t } from '../texts/shop.ts';

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
    <Page title={t('events.title')}>
      <h1>{t('events.title')}</h1>
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
          <label for="q">{t('events.query')}</label>
          <input id="q" name="q" type="search" defaultValue={q} />
          <button type="submit">{t('events.search')}</button>
          <details open={Boolean(city || category || entered.from || entered.to)}>
            <summary>{t('events.filters')}</summary>
            <div class="pair">
              <label>
                {t('events.from')}
                <input name="from" type="date" defaultValue={entered.from} />
              </label>
              <label>
                {t('events.to')}
                <input name="to" type="date" defaultValue={entered.to} />
              </label>
              <label>
                {t('events.city')}
                <input name="city" defaultValue={city} />
              </label>
              <label>
                {t('events.category')}
                <select name="category">
                  <option value="">{t('events.all')}</option>
                  {categories.map(({ value }) => (
                    <option key={value} value={value} selected={value === category}>
                      {categoryLabel(value)}
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
              {t('events.noneFound')} <a href="/">{t('events.showAll')}</a>
            </>
          ) : (
            <>
              {t('events.none')} <a href="/organizer/events/new">{t('events.create')}</a>
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
