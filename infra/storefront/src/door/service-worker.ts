import { cleanupOutdatedCaches, matchPrecache, precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';

/**
 * Lets the check-in page start without network. It is installed by the check-in page only, and answers only that page and
 * its files, so that all other pages are as current as without it.
 */

interface ServiceWorker {
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
const worker = self as unknown as ServiceWorker;

/** The files of this build: vite.config.ts fills it in. */
declare const buildFiles: { url: string; revision: string | null }[];

const configCache = 'config';
const configUrl = '/config.json';
/** Seconds until a stored answer is used in place of the network's. */
const networkTimeoutSeconds = 3;

precache(buildFiles);
cleanupOutdatedCaches();
worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(configCache).then((cache) => cache.add(configUrl)));
  event.waitUntil(worker.skipWaiting());
});
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

registerRoute(
  ({ url }) => url.pathname === configUrl,
  new NetworkFirst({ cacheName: configCache, networkTimeoutSeconds }),
);
registerRoute(
  ({ url }) => url.pathname.startsWith('/assets/'),
  async ({ request }) => (await matchPrecache(request.url)) ?? fetch(request),
);
registerRoute(
  new NavigationRoute(
    async ({ request }) => {
      const signal = AbortSignal.timeout(networkTimeoutSeconds * 1000);
      const response = await fetch(new Request(request, { signal })).catch(() => undefined);
      return response?.ok ? response : ((await matchPrecache('/index.html')) ?? Response.error());
    },
    { allowlist: [/^\/organizer\/check-in\//] },
  ),
);
