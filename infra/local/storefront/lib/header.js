import { get } from './api.js';
import { endSession } from './session.js';

const markup = `
<a class="brand" href="/">Boxoffice</a>
<nav aria-label="Main">
  <a href="/">Events</a>
  <a href="/tickets" data-for="user">My tickets</a>
  <a href="/notifications" data-for="user">Notifications <span class="count" hidden></span></a>
  <a href="/organizer" data-for="organizer">Organize</a>
  <a href="/account" data-for="user">Account</a>
  <button type="button" data-for="user">Sign out</button>
  <a href="/login" data-for="visitor">Sign in</a>
</nav>`;

/** The bar on top of each page, with what concerns this user. @param {import('./page.js').User} [user] */
export function showHeader(user) {
  const header = document.querySelector('body > header');
  header.innerHTML = markup;
  const groups = user ? ['user', ...(user.role === 'USER' ? [] : ['organizer'])] : ['visitor'];
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (header.querySelectorAll('[data-for]'))) {
    if (!groups.includes(element.dataset.for)) element.remove();
  }
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (header.querySelectorAll('nav a'))) {
    if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
  }
  header.querySelector('button')?.addEventListener('click', signOut);
  if (user) void showUnread(header.querySelector('.count'));
}

async function signOut() {
  await endSession();
  location.assign('/');
}

/** How many notifications are unread, up to nine. @param {HTMLElement} count */
async function showUnread(count) {
  // The page is whole without it, so nobody is told when it fails.
  const { notifications } = await get('/api/notifications?unread=true&limit=10').catch(() => ({}));
  if (!notifications?.length) return;
  count.textContent = notifications.length > 9 ? '9+' : notifications.length;
  count.hidden = false;
}
