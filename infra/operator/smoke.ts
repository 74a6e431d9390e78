import { parseArgs } from 'node:util';
import { smokeTest } from './smoke/purchase.ts';

// npm run smoke -- --url https://api.staging.your-domain.com [--origin https://tickets.staging.your-domain.com]
// Sells a ticket at a deployed stage whose payment providers are in test mode, and cancels the event again.

const { values } = parseArgs({ options: { url: { type: 'string' }, origin: { type: 'string' } } });
try {
  if (!values.url) throw new Error('Pass the address of the API: --url https://…');
  for await (const step of smokeTest(values.url, values.origin)) console.log(`✓ ${step}`);
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
