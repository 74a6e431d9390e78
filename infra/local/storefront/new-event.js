import { post } from './lib/api.js';
import { form, onSubmit } from './lib/form.js';
import { send } from './lib/http.js';
import { privatePage } from './lib/page.js';
import { copy } from './lib/template.js';

/** An organizer puts an event on sale. */

const newEvent = form('new-event');
const tiers = document.getElementById('tiers');
let chainId;

await privatePage(async () => {
  const configuration = await (await send('GET', '/config.json')).json();
  ({ chainId } = configuration);
  const contract = /** @type {HTMLInputElement} */ (newEvent.elements.namedItem('contractAddress'));
  contract.value = configuration.ticketContract;
  addTier();
  document
    .getElementById('add-tier')
    .addEventListener('click', () => addTier().querySelector('input').focus());
  onSubmit(newEvent, create);
});

function addTier() {
  const row = copy('tier');
  row.querySelector('button').addEventListener('click', () => {
    row.remove();
    number();
  });
  tiers.append(row);
  number();
  return row;
}

/** Rows are told apart by their number; a single one has to stay. */
function number() {
  for (const [index, row] of [...tiers.children].entries()) {
    row.querySelector('legend').textContent = `Tier ${index + 1}`;
    row.querySelector('button').hidden = tiers.children.length === 1;
  }
}

async function create({ startDate, contractAddress, ...fields }) {
  const { event } = await post('/api/events', {
    ...fields,
    // What was entered is meant on the organizer's clock.
    startDate: new Date(startDate).toISOString(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    tiers: [...tiers.children].map(tierIn),
    ...(contractAddress && { contractAddress, chainId }),
  });
  location.assign(`/organizer/events/${event.id}`);
  await new Promise(() => {});
}

/** @param {Element} row */
function tierIn(row) {
  const value = (field) => /** @type {HTMLInputElement} */ (row.querySelector(`[data-field=${field}]`)).value;
  return {
    name: value('name'),
    price: Number(value('price')),
    quantity: Number(value('quantity')),
    maxPerPerson: Number(value('maxPerPerson')),
  };
}
