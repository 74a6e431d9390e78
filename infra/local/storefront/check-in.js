import { get, post } from './lib/api.js';
import { form, onSubmit } from './lib/form.js';
import { eventTime, withShortTimes } from './lib/format.js';
import { ApiError } from './lib/http.js';
import { idInPath, privatePage } from './lib/page.js';
import { copy, put } from './lib/template.js';

/** Lets people in at the door of an event. */

const eventId = idInPath();
const checkIn = form('check-in');
const code = /** @type {HTMLInputElement} */ (checkIn.elements.namedItem('code'));
const results = document.getElementById('results');

await privatePage(async () => {
  const { event } = await get(`/api/events/${eventId}`);
  document.title = `At the door of ${event.title} · Boxoffice`;
  put(document.querySelector('main'), {
    title: event.title,
    when: eventTime(event),
    salesLink: `/organizer/events/${eventId}`,
  });
  onSubmit(checkIn, async (fields) => {
    results.prepend(await verdictOn(fields));
    // Ready for the next in the line.
    code.value = '';
    code.focus();
  });
});

/** What the door is told: the newest verdict stands first. */
async function verdictOn({ code }) {
  try {
    const { checkIn } = await post('/api/tickets/check-in', { code, eventId });
    const { customerName, tierName, number, quantity } = checkIn;
    return result('success', 'Checked in', `${customerName}: ${tierName}, ticket ${number} of ${quantity}.`);
  } catch (error) {
    const isRefusal = error instanceof ApiError && [400, 403, 409].includes(error.status);
    if (!isRefusal) throw error;
    return result('warning', 'Not let in', `${withShortTimes(error.message)}.`);
  }
}

/** @param {'success' | 'warning'} kind @param {string} verdict @param {string} reason */
function result(kind, verdict, reason) {
  const entry = copy('result', { verdict, reason });
  entry.classList.add(kind);
  return entry;
}
