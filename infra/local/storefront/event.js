import { get, post } from './lib/api.js';
import { form, onSubmit } from './lib/form.js';
import { eventTime, money, place, title, totalWithFee, whatIsLeft } from './lib/format.js';
import { idInPath, page, toSignIn } from './lib/page.js';
import { copy, put } from './lib/template.js';

/** One event, and buying tickets to it. */

const buyForm = form('buy');
const quantity = /** @type {HTMLInputElement} */ (buyForm.elements.namedItem('quantity'));
let event;

await page(async (user) => {
  await load();
  buyForm.hidden = event.status !== 'PUBLISHED';
  buyForm.addEventListener('input', showTotal);
  if (!user) buyForm.querySelector('button').textContent = 'Sign in to buy';
  onSubmit(buyForm, (fields) => (user ? buy(fields) : toSignIn()));
});

async function load() {
  event = (await get(`/api/events/${idInPath()}`)).event;
  document.title = `${event.title} · Boxoffice`;
  put(document.querySelector('article'), {
    ...event,
    category: title(event.category),
    status: { CANCELLED: 'This event was cancelled.', DRAFT: 'This event is not published yet.' }[
      event.status
    ],
    when: eventTime(event),
    place: place(event),
  });
  showImage();
  showTiers();
}

/** Pictures may also lie at ipfs addresses, which browsers can't show. */
function showImage() {
  const image = /** @type {HTMLImageElement} */ (document.getElementById('image'));
  if (!event.imageUrl.startsWith('https:')) return;
  image.src = event.imageUrl;
  image.hidden = false;
}

/** The tiers with what is left of each; the one that was chosen stays chosen while it can be bought. */
function showTiers() {
  const chosen = new FormData(buyForm).get('tierId');
  const rows = event.tiers.map((tier) => {
    const row = copy('tier', { ...tier, price: price(tier), left: whatIsLeft(tier.available) });
    const radio = row.querySelector('input');
    radio.value = tier.id;
    radio.disabled = tier.available === 0;
    radio.checked = tier.id === chosen && !radio.disabled;
    return row;
  });
  document.getElementById('tiers').replaceChildren(...rows);
  const radios = rows.map((row) => row.querySelector('input')).filter(({ disabled }) => !disabled);
  if (radios[0] && !radios.some(({ checked }) => checked)) radios[0].checked = true;
  buyForm.querySelector('button').disabled = radios.length === 0;
  showTotal();
}

function showTotal() {
  const tier = event.tiers.find(({ id }) => id === new FormData(buyForm).get('tierId'));
  quantity.max = tier ? `${Math.min(tier.available, tier.maxPerPerson)}` : '';
  const count = quantity.valueAsNumber;
  document.getElementById('total').textContent =
    tier && count > 0 ? money(totalWithFee(tier.price, count, event.currency), event.currency) : '';
}

/** Orders, then goes where the order is paid; a free one is paid already. */
async function buy({ tierId, quantity, gateway }) {
  const order = { eventId: event.id, tierId, quantity: Number(quantity), paymentMethod: 'FIAT', gateway };
  try {
    // Should the request be sent twice, it still makes one order.
    const key = { 'idempotency-key': crypto.randomUUID() };
    const { orderId, checkoutUrl } = await post('/api/orders/initialize', order, key);
    location.assign(checkoutUrl ?? `/orders/${orderId}`);
    await new Promise(() => {});
  } catch (error) {
    // Most likely others were faster: show what is left now.
    await load().catch(() => {});
    throw error;
  }
}

function price(tier) {
  return tier.price === 0 ? 'Free' : money(tier.price, event.currency);
}
