import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Configuration } from '../local/defaults.ts';
import { Actions } from './actions.ts';
import { checkoutRoutes } from './checkout.ts';
import { controlRoutes, Faults } from './control.ts';
import { Deliveries } from './deliveries.ts';
import { createGatewayA } from './gateway-a.ts';
import { createGatewayB } from './gateway-b.ts';
import { createGatewayC } from './gateway-c.ts';
import { type GatewayName, gatewayNames, Payments, type Transfer, Transfers } from './payments.ts';
import type { Provider, ProviderContext } from './provider.ts';
import { createRouter, type Handler, type Routes } from './router.ts';

/** The duration of a transfer, unless a test holds transfers. */
const transferMilliseconds = 500;

export interface SandboxOptions {
  /** A server that is already listening, since the functions' configuration needs its address. */
  server: Server;
  url: string;
  /** The base URL of the webhooks. */
  apiUrl: string;
  configuration: Configuration;
  /** The file that keeps payments, transfers and webhooks for the next start. */
  file?: string;
}

/**
 * Starts the payment sandbox: the providers' APIs, the checkout page and the control API.
 * @returns a function that stops webhook deliveries
 */
export function startSandbox({ server, url, apiUrl, configuration, file }: SandboxOptions): () => void {
  const faults = new Faults();
  const payments = new Payments(file, faults);
  const transfers = new Transfers(file);

  const executeTransfer = async (transfer: Transfer) => {
    if (faults.holdsTransfer(transfer.recipient)) return;
    const outcome = faults.nextTransferFails(transfer.recipient) ? 'failed' : 'succeeded';
    await sleep(transferMilliseconds);
    await actions.endTransfer(transfer, outcome);
  };
  const context: ProviderContext = {
    payments,
    transfers,
    checkoutUrl: ({ code }) => `${url}/checkout/${code}`,
    startTransfer: (transfer) => void executeTransfer(transfer),
  };
  const providers: Record<GatewayName, Provider> = {
    'gateway-a': createGatewayA(context, configuration),
    'gateway-b': createGatewayB(context, configuration),
    'gateway-c': createGatewayC(context, configuration, file),
  };
  const deliveries = new Deliveries(file, apiUrl, (gateway, body) => providers[gateway].sign(body));
  const actions = new Actions(payments, transfers, providers, deliveries);
  for (const transfer of transfers.list()) if (transfer.status === 'pending') void executeTransfer(transfer);

  const routes: Routes = {
    ...checkoutRoutes(payments, actions, (payment) => providers[payment.gateway].decimalAmount(payment)),
    ...controlRoutes(payments, transfers, actions, faults),
  };
  for (const name of gatewayNames) Object.assign(routes, providerRoutes(name, providers[name], faults));
  server.on('request', createRouter(routes));
  return () => deliveries.stop();
}

/** Returns a provider's routes, prefixed with its name. They require the provider's key. */
function providerRoutes(name: GatewayName, provider: Provider, faults: Faults): Routes {
  const authenticated =
    (handler: Handler): Handler =>
    (call) =>
      provider.key && call.headers.authorization === `Bearer ${provider.key}`
        ? handler(call)
        : provider.refuse(401, 'Invalid key');
  return Object.fromEntries(
    Object.entries(provider.routes).map(([route, handler]) => [
      route.replace(' ', ` /${name}`),
      authenticated(faults.withFaults(name, route, handler)),
    ]),
  );
}
