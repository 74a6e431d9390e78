import type { Event } from 'boxoffice-client';
import { categoryLabel, formatPlace, mapLink } from '../format.ts';
import { t } from '../texts/shop.ts';
import { OrganizedBy } from './organizer.tsx';
import { EventPeriod } from './values.tsx';

interface EventHeadProps {
  event: Pick<Event, 'category' | 'title' | 'status' | 'eventDate' | 'endDate' | 'timezone' | 'organizer'> &
    Parameters<typeof mapLink>[0];
  /** The title’s element: a smaller heading where the page has another one of its own. */
  as?: 'h1' | 'h3';
}

/** What an event is, when and where it takes place, and who organizes it. */
export function EventHead({ event, as: Title = 'h1' }: EventHeadProps) {
  return (
    <header>
      {event.category !== 'OTHER' && <p class="quiet">{categoryLabel(event.category)}</p>}
      <Title>{event.title}</Title>
      {event.status === 'CANCELLED' && <p class="status bad">{t('event.cancelled')}</p>}
      {event.status === 'DRAFT' && <p class="status">{t('event.draft')}</p>}
      <p>
        <EventPeriod event={event} />
      </p>
      <p>
        <b>{formatPlace(event)}</b>
        <br />
        {event.address && (
          <>
            <span class="quiet">{event.address}</span>
            <br />
          </>
        )}
        <a href={mapLink(event)} target="_blank" rel="noreferrer">
          {t('event.map')}
        </a>
      </p>
      <OrganizedBy organizer={event.organizer} />
    </header>
  );
}
