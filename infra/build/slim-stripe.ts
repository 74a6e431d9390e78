import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The parts of Stripe's API that shared/payments/gateway-c calls. */
const calledResources = /[\\/]resources[\\/](?:Checkout[\\/](?:index|Sessions)|Disputes|Refunds)\.js$/;
/** The modules with one class for each part of the API, and an event router that this project doesn't use. */
const removableModules = /[\\/]stripe[\\/]esm[\\/](?:resources[\\/].*|StripeEventNotificationHandler)\.js$/;

/**
 * Removes unused parts of Stripe's SDK from bundles. Its single entry point imports all parts: 72 KB of 246 KB remain.
 * Empty classes with the same names replace the removed parts, since the client instantiates each part.
 * test/integration/refunds.test.ts calls each remaining part on built functions.
 */
export const slimStripe: Plugin = {
  name: 'slim-stripe',
  setup(build) {
    build.onLoad({ filter: removableModules }, async ({ path }) => {
      if (calledResources.test(path)) return undefined;
      const source = await readFile(path, 'utf8');
      const names = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
      return { contents: names.map((name) => `export class ${name} {}`).join('\n') };
    });
  },
};
