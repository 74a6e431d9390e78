import { defaults } from 'boxoffice-client';
import { render } from 'preact';
import { brandShop } from '../components/page.tsx';
import { Failure } from '../components/resource.tsx';
import { loadConfig } from '../config.ts';
import { embedPath } from '../paths.ts';
import { send } from '../session/session.ts';
import { language, loadTexts } from '../texts/texts.ts';
import { EmbeddedSale } from './embedded-sale.tsx';
import type { HeightMessage } from './height-message.ts';

/** The page in the frame of `<boxoffice-tickets>`. It sends no cookie and no token, so it has nobody's session. */
const eventId = location.pathname.slice(embedPath.replace(':id', '').length);
const query = new URLSearchParams(location.search);
const host = query.get('host');

document.documentElement.lang = language;

const texts = loadTexts('shop');

try {
  const [{ apiUrl }] = await Promise.all([loadConfig(), texts]);
  brandShop();
  Object.assign(defaults, { baseUrl: apiUrl || '/', credentials: 'omit', fetch: send });
  render(<EmbeddedSale eventId={eventId} initialCode={query.get('code') ?? ''} />, document.body);
} catch (error) {
  await texts;
  render(<Failure error={error} onRetry={() => location.reload()} />, document.body);
}

// Only the page that has given its origin gets the height. A page that lies about its origin gets nothing.
if (host && parent !== self) {
  const page = document.documentElement;
  new ResizeObserver(() => {
    const message: HeightMessage = { type: 'boxoffice:height', height: Math.ceil(page.offsetHeight) };
    parent.postMessage(message, host);
  }).observe(page);
}
