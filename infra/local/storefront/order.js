import { get, post } from './lib/api.js';
import { money, tickets } from './lib/format.js';
import { idInPath, privatePage, report } from './lib/page.js';
import { showSeat } from './lib/seat.js';
import { put } from './lib/template.js';

/**
 * Where buyers come back to after paying, whatever happened at the gateway. That they came back proves nothing,
 * so nothing in the address counts: the page asks the API until the gateway's webhook has settled the order.
 */

const path = `/api/orders/${idInPath()}`;
const main = document.querySelector('main');
const failures = {
  expired: 'It was not paid in time, and the tickets are on sale again.',
  cancelled: 'It was cancelled, and the tickets are on sale again.',
  'payment-failed': 'The payment was declined. Nothing was charged, and the tickets are on sale again.',
  'gateway-failed': 'The payment could not be started. Nothing was charged.',
  'event-cancelled': 'The event was cancelled.',
};
const fulfilments = {
  minted: 'Your tickets are in your wallet.',
  failed:
    'Your tickets could not be minted yet. The organizer can have it tried again; your order stays paid.',
  'refund-due': 'It was paid too late, and no ticket was left. You will get your money back.',
};
const refunds = {
  pending: 'The refund is on its way.',
  done: 'The payment was refunded.',
  failed: 'The refund is being made by hand, which may take some days.',
  manual: 'The refund is being made by hand, which may take some days.',
};

await privatePage(async () => {
  const { order } = await get(path);
  const { event } = await get(`/api/events/${order.eventId}`);
  show(order, event);
  document.getElementById('cancel').addEventListener('click', () => cancel(event));
  void follow(order, event);
});

/** Asks at growing intervals, up to ten seconds, until nothing more will change by itself. */
async function follow(order, event) {
  for (let pause = 500; isUnderway(order); pause = Math.min(pause * 1.3, 10_000)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      ({ order } = await get(path));
      show(order, event);
    } catch (error) {
      report(error, main);
    }
  }
}

function isUnderway({ paymentStatus, fulfilment }) {
  if (paymentStatus === 'PENDING') return true;
  return paymentStatus === 'COMPLETED' && ['none', 'queued', 'minting'].includes(fulfilment.status);
}

async function cancel(event) {
  try {
    const { order } = await post(`${path}/cancel`);
    show(order, event);
  } catch (error) {
    report(error, main);
  }
}

function show(order, event) {
  const isPending = order.paymentStatus === 'PENDING';
  const tier = event.tiers.find(({ id }) => id === order.tierId);
  const [heading, explanation] = state(order);
  put(document.querySelector('article'), {
    heading,
    explanation,
    event: event.title,
    eventLink: `/events/${event.id}`,
    tickets: `${tickets(order.quantity)}, ${tier?.name}`,
    total: money(order.totalAmount, order.currency),
    payment: order.paymentStatus,
    reference: order.reference,
    checkout: isPending && order.checkoutUrl,
    canCancel: isPending,
    ticketsLink: order.paymentStatus === 'COMPLETED' && `/tickets#${order.id}`,
    again: order.paymentStatus === 'FAILED' && `/events/${event.id}`,
  });
  document.title = `${heading} · Boxoffice`;
  showSeats(order.admissions ?? []);
}

/** What lets each person in, once the order is paid. Asking again and again changes nothing about it. */
function showSeats(admissions) {
  const seats = document.getElementById('seats');
  const list = seats.querySelector('ul');
  seats.hidden = admissions.length === 0;
  if (list.childElementCount !== admissions.length) list.replaceChildren(...admissions.map(showSeat));
}

/** What the order's state means for its buyer. @returns {[heading: string, explanation: string]} */
function state({ paymentStatus, paymentReview, failureReason, fulfilment, refund }) {
  if (refund) return ['Your money goes back', refunds[refund.status]];
  if (paymentStatus === 'FAILED') return ['This order was not paid', failures[failureReason] ?? ''];
  if (paymentStatus === 'COMPLETED') {
    return ['Thank you, your order is paid', fulfilments[fulfilment.status] ?? waiting(fulfilment.status)];
  }
  return [
    'Waiting for your payment',
    paymentReview
      ? 'A payment came in that does not fit the order. It is being looked at.'
      : 'This page changes by itself as soon as the payment provider has confirmed it.',
  ];
}

function waiting(status) {
  return status === 'not-needed'
    ? 'This order needs no wallet: show the codes below at the door.'
    : 'Your tickets are being minted, which takes some seconds.';
}
