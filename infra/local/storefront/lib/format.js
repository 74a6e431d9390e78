/** How amounts and times are shown: in the visitor's language, times in the event's own zone. */

/** @param {number} amount whole units @param {string} currency */
export function money(amount, currency) {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
}

/**
 * What the buyer pays: the tickets and 2.5 % on top, rounded half up to the currency's smallest unit. The API
 * says the same when the order is made; this is for showing it before.
 * @param {number} price @param {number} quantity @param {string} currency
 */
export function totalWithFee(price, quantity, currency) {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const unit = 10 ** (digits.maximumFractionDigits ?? 2);
  // Whole numbers all the way: 1.025 has no exact binary form.
  return Math.floor((Math.round(price * unit) * quantity * 1025 + 500) / 1000) / unit;
}

/** @param {{ eventDate: string, timezone: string }} event */
export function eventTime({ eventDate, timezone }) {
  const options = /** @type {const} */ ({ dateStyle: 'full', timeStyle: 'short', timeZone: timezone });
  return new Intl.DateTimeFormat(undefined, options).format(new Date(eventDate));
}

/** @param {{ eventDate: string, timezone: string }} event */
export function dateTile({ eventDate, timezone }) {
  const part = (options) =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone: timezone }).format(new Date(eventDate));
  return { day: part({ day: 'numeric' }), month: part({ month: 'short' }), year: part({ year: 'numeric' }) };
}

/** @param {string} time */
export function shortTime(time) {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  );
}

/** A sentence of the API, whose times are ISO 8601, as people read times. @param {string} sentence */
export function withShortTimes(sentence) {
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, shortTime);
}

/** @param {{ venue: string, city: string, country: string }} event */
export function place({ venue, city, country }) {
  return [venue, city, country].filter(Boolean).join(', ');
}

/** @param {number} available */
export function whatIsLeft(available) {
  if (available === 0) return 'Sold out';
  return available === 1 ? '1 ticket left' : `${new Intl.NumberFormat().format(available)} tickets left`;
}

/** @param {number} quantity */
export function tickets(quantity) {
  return quantity === 1 ? '1 ticket' : `${quantity} tickets`;
}

/** MUSIC as Music. @param {string} name */
export function title(name) {
  return name.charAt(0) + name.slice(1).toLowerCase();
}
