import type { Event } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { config } from '../config.ts';
import { t } from '../texts/orders.ts';
import { EventPicture } from './event-card.tsx';
import { brandProps } from './page.tsx';
import { Fact, Time, WhenAndWhere } from './values.tsx';

/** What a ticket shows of its event. Without the optional parts it has a cover and the shop's color. */
export type TicketEvent = Pick<Event, 'id' | 'title' | 'venue' | 'city' | 'timezone' | 'eventDate'> &
  Partial<Pick<Event, 'country' | 'imageUrl' | 'organizer'>>;

export interface TicketState {
  /** A few words, such as Valid or Used. */
  label: string;
  /** `good` for a ticket that admits, `bad` for one that does not any more. */
  tone: 'good' | 'waiting' | 'bad';
}

interface TicketProps {
  /** Undefined when buyers can no longer see the event. */
  event: TicketEvent | undefined;
  state: TicketState;
  /** The ticket's tier, or the items of an order. */
  tier: string;
  number?: number;
  attendee?: string;
  /** The path of the QR code's picture, below the API's address. */
  qr?: string | null;
  checkedInAt?: string | null;
  /** Codes, ids and hashes, which are shown on request. */
  details?: ComponentChildren;
  /** Explanations and actions. They are not printed. */
  children?: ComponentChildren;
}

/** A ticket, as a list item below a heading of level 2. Printed, a ticket with a QR code fills a page of its own. */
export function Ticket({ event, state, number, children, details, ...ticket }: TicketProps) {
  const brand = brandProps(event?.organizer);
  return (
    <li
      {...brand}
      class={['ticket', state.tone === 'bad' && 'invalid', brand.class].filter(Boolean).join(' ')}
    >
      {event && <EventPicture event={{ imageUrl: '', ...event }} inList />}
      <div class="ticket-text">
        <p>
          <b class={`ticket-state ${state.tone}`}>{state.label}</b>{' '}
          {number !== undefined && <span class="quiet">{t('ticket.number', { number })}</span>}
        </p>
        <h3>{event ? <a href={`/events/${event.id}`}>{event.title}</a> : t('ticket.noEvent')}</h3>
        {event && <WhenAndWhere event={event} />}
        <dl>
          <Fact name={t('ticket.tier')}>{ticket.tier}</Fact>
          {ticket.attendee && <Fact name={t('ticket.attendee')}>{ticket.attendee}</Fact>}
          {ticket.checkedInAt && (
            <Fact name={t('ticket.checkedIn')}>
              <Time at={ticket.checkedInAt} />
            </Fact>
          )}
        </dl>
      </div>
      {ticket.qr && (
        <div class="ticket-stub">
          <img class="qr" src={config.apiUrl + ticket.qr} alt={t('ticket.qr')} loading="lazy" />
        </div>
      )}
      <div class="ticket-actions">
        {children}
        {details && (
          <details>
            <summary>{t('ticket.details')}</summary>
            <dl class="facts">{details}</dl>
          </details>
        )}
      </div>
    </li>
  );
}
