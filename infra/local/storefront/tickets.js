import { get } from './lib/api.js';
import { eventTime, place, tickets } from './lib/format.js';
import { fillList } from './lib/list.js';
import { privatePage } from './lib/page.js';
import { showSeat } from './lib/seat.js';
import { copy } from './lib/template.js';

/** All orders that were not given up, newest first, each with what lets its people in. */

const states = {
  none: 'paid',
  queued: 'paid, being minted',
  minting: 'paid, being minted',
  minted: 'paid and minted',
  'not-needed': 'paid',
  failed: 'paid, could not be minted yet',
  'refund-due': 'to be refunded',
};
/** Several orders may be for one event. @type {Map<string, Promise<any>>} */
const events = new Map();

await privatePage(async () => {
  await fillList('orders', '/api/orders', 'orders', show);
  // The orders were not there yet when the browser looked for the one in the address.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
});

async function show(order) {
  if (order.paymentStatus === 'FAILED') return new DocumentFragment();
  const event = await eventOf(order);
  const tier = event.tiers.find(({ id }) => id === order.tierId);
  const entry = copy('order', {
    event: event.title,
    eventLink: `/events/${event.id}`,
    when: eventTime(event),
    place: place(event),
    tickets: `${tickets(order.quantity)}, ${tier?.name}`,
    link: `/orders/${order.id}`,
    status: state(order),
  });
  entry.id = order.id;
  const list = entry.querySelector('ul');
  list.append(...(await seatsOf(order)).map(showSeat));
  list.hidden = list.childElementCount === 0;
  return entry;
}

function state({ paymentStatus, fulfilment, refund }) {
  if (refund) return refund.status === 'done' ? 'refunded' : 'to be refunded';
  return paymentStatus === 'PENDING' ? 'waiting for payment' : states[fulfilment.status];
}

/** The tickets that were minted for an order; the bare seats of one that is paid without. */
async function seatsOf({ id, paymentStatus, fulfilment }) {
  if (paymentStatus !== 'COMPLETED') return [];
  if (fulfilment.status !== 'minted') return (await get(`/api/orders/${id}`)).order.admissions;
  return (await get(`/api/tickets?${new URLSearchParams({ orderId: id, limit: '100' })}`)).tickets;
}

function eventOf({ eventId }) {
  if (!events.has(eventId)) {
    events.set(
      eventId,
      get(`/api/events/${eventId}`).then(({ event }) => event),
    );
  }
  return events.get(eventId);
}
