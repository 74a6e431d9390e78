import { dateTile, place, title, whatIsLeft } from './lib/format.js';
import { fillList } from './lib/list.js';
import { privatePage } from './lib/page.js';
import { copy } from './lib/template.js';

/** An organizer's own events, newest first; each leads to its sales. */
await privatePage(() => fillList('events', '/api/events', 'events', card, { organizerId: 'me' }));

function card(event) {
  return copy('event', {
    ...dateTile(event),
    title: event.title,
    link: `/organizer/events/${event.id}`,
    place: place(event),
    status: title(event.status),
    left: whatIsLeft(event.tiers.reduce((sum, tier) => sum + tier.available, 0)),
  });
}
