import { post } from './lib/api.js';
import { shortTime } from './lib/format.js';
import { fillList } from './lib/list.js';
import { privatePage, report } from './lib/page.js';
import { copy } from './lib/template.js';

/** What the service has to tell, newest first. */
await privatePage(async () => {
  await fillList('notifications', '/api/notifications', 'notifications', show);
  document.getElementById('read-all').addEventListener('click', readAll);
});

function show({ title, message, type, read, createdAt, orderId }) {
  const entry = copy('notification', {
    title,
    message,
    isUnread: !read,
    time: shortTime(createdAt),
    orderLink: orderId && `/orders/${orderId}`,
  });
  entry.classList.add(type.toLowerCase());
  return entry;
}

async function readAll() {
  try {
    await post('/api/notifications/read-all');
    location.reload();
  } catch (error) {
    report(error, document.querySelector('main'));
  }
}
