import { download, get } from './lib/api.js';
import { eventTime, money, shortTime } from './lib/format.js';
import { fillList } from './lib/list.js';
import { idInPath, privatePage, report } from './lib/page.js';
import { copy, put } from './lib/template.js';

/** What an event sold, for its organizer. */

const main = document.querySelector('main');
const id = idInPath();

await privatePage(async () => {
  const [{ event }, { summary }] = await Promise.all([
    get(`/api/events/${id}`),
    get(`/api/events/${id}/summary`),
  ]);
  document.title = `Sales of ${event.title} · Boxoffice`;
  const links = { publicLink: `/events/${id}`, doorLink: `/organizer/check-in/${id}` };
  put(main, { title: event.title, when: eventTime(event), ...links });
  document.getElementById('summary').append(...summary.tiers.map((tier) => row(tier, summary.currency)));
  document.querySelector('tfoot').append(row({ ...summary, name: 'Total' }, summary.currency));
  document.getElementById('csv').addEventListener('click', saveCsv);
  await fillList('orders', `/api/events/${id}/orders`, 'orders', (order) => orderRow(order, event));
});

function row({ name, sold, held, available, gross, fee, net }, currency) {
  const shown = { gross: money(gross, currency), fee: money(fee, currency), net: money(net, currency) };
  return copy('tier', { name, sold, held, available, ...shown });
}

function orderRow(order, event) {
  const tier = event.tiers.find(({ id }) => id === order.tierId);
  return copy('order', {
    ...order,
    when: shortTime(order.createdAt),
    tickets: `${order.quantity} × ${tier?.name}`,
    total: money(order.totalAmount, order.currency),
  });
}

/** A link alone could not carry the access token. */
async function saveCsv() {
  try {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await download(`/api/events/${id}/orders`, 'text/csv'));
    link.download = `orders-${id}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    report(error, main);
  }
}
