import { parseArgs } from 'node:util';
import { smokeTest } from './smoke/smoke-test.ts';

// npm run smoke -- --url https://api.staging.your-domain.com [--origin https://tickets.staging.your-domain.com]
//   [--currency NGN]
// Sells a ticket on a deployed stage whose payment providers are in test mode. Then cancels the event and closes the
// accounts that it has created. With --origin it also checks that pages of the storefront may call the API (CORS).

const { values } = parseArgs({
  options: { url: { type: 'string' }, origin: { type: 'string' }, currency: { type: 'string' } },
});
try {
  const { url, origin, currency } = values;
  if (!url) throw new Error('Pass the address of the API: --url https://…');
  for await (const step of smokeTest({ url, origin, currency })) console.log(`✓ ${step}`);
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
