import { dateTile, money, place, whatIsLeft } from './lib/format.js';
import { fillList } from './lib/list.js';
import { page } from './lib/page.js';
import { copy } from './lib/template.js';

/** What is on: the public events to come, soonest first. */
await page(async () => {
  const q = new URLSearchParams(location.search).get('q') ?? '';
  /** @type {HTMLInputElement} */ (document.getElementById('q')).value = q;
  await fillList('events', '/api/events', 'events', card, {
    from: new Date().toISOString(),
    ...(q && { q }),
  });
});

function card(event) {
  const available = event.tiers.reduce((sum, tier) => sum + tier.available, 0);
  return copy('event', {
    ...dateTile(event),
    title: event.title,
    link: `/events/${event.id}`,
    place: place(event),
    price: event.ticketPrice === 0 ? 'Free' : `from ${money(event.ticketPrice, event.currency)}`,
    left: whatIsLeft(available),
  });
}
