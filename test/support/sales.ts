import { eventually } from './eventually.ts';
import { type Answer, call } from './http.ts';
import { type Person, registerUser } from './people.ts';
import { sharedStack } from './stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are not typed
type Json = any;

export interface Sale {
  organizer: Person;
  event: Json;
}

const inAMonth = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();

/**
 * Publishes an event with one tier, by a new organizer by default.
 * @param fields.hasContract use the stack's ticket contract
 */
export async function openSale(
  fields: {
    title?: string;
    price?: number;
    currency?: string;
    quantity?: number;
    hasContract?: boolean;
    entry?: 'account' | 'token';
    organizer?: Person;
  } = {},
): Promise<Sale> {
  const { title = 'Jazz', price = 50, currency = 'NGN', quantity = 100, hasContract = false, entry } = fields;
  const { ticketContract, chainId } = sharedStack();
  const contract = hasContract ? { contractAddress: ticketContract, chainId } : {};
  const organizer = fields.organizer ?? (await registerUser({ role: 'ORGANIZER' }));
  const tiers = [{ name: 'Standing', price, quantity, maxPerPerson: 10 }];
  const body = { title, venue: 'Club', startDate: inAMonth, currency, tiers, entry, ...contract };
  const created = await call('POST', '/api/events', { token: organizer.token, body });
  if (created.status !== 201) throw new Error(`No event: ${JSON.stringify(created.body)}`);
  return { organizer, event: created.body.event };
}

/** Creates a PENDING order. */
export async function initializeOrder(
  { event }: Pick<Sale, 'event'>,
  buyer: Person,
  quantity: number,
  gateway = 'gateway-a',
) {
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity, paymentMethod: 'FIAT', gateway };
  const answer = await call('POST', '/api/orders/initialize', { token: buyer.token, body });
  if (answer.status !== 201) throw new Error(`No order: ${JSON.stringify(answer.body)}`);
  return answer.body as { orderId: string; reference: string; totalAmount: number };
}

/** Buys tickets, and waits until the buyer is notified and the order is posted to the ledger. */
export async function buyTickets(
  sale: Pick<Sale, 'event'>,
  buyer: Person,
  quantity: number,
  gateway?: string,
) {
  const { orderId, reference } = await initializeOrder(sale, buyer, quantity, gateway);
  await controlSandbox(`payments/${reference}/pay`);
  // The status changes when the order is posted, after the buyer's notification.
  await eventually('the order is posted', async () => {
    const { fulfilment } = await readOrder(buyer, orderId);
    return !['none', 'queued'].includes(fulfilment.status);
  });
  return { orderId, reference };
}

/** Reads an order with its buyer's token. */
export async function readOrder(buyer: Person, orderId: string): Promise<Json> {
  return (await call('GET', `/api/orders/${orderId}`, { token: buyer.token })).body.order;
}

/** Returns the number of available tickets of an event's first tier. */
export async function countAvailable({ id }: { id: string }): Promise<number> {
  return (await call('GET', `/api/events/${id}`)).body.event.tiers[0].available;
}

/** Reads a person's newest notifications, at most 100. */
export async function readNotifications({ token }: Person): Promise<Json[]> {
  return (await call('GET', '/api/notifications?limit=100', { token })).body.notifications;
}

/** Reads an organizer's balance in one currency. Returns zeros when there is none. */
export async function readBalance({ token }: Person, currency = 'NGN'): Promise<Json> {
  const { balances } = (await call('GET', '/api/organizer/balance', { token })).body;
  const found = balances.find((balance: Json) => balance.currency === currency);
  return found ?? { currency, upcoming: 0, available: 0, pending: 0, paidOut: 0 };
}

/** Calls the control API of the sandbox's providers (infra/sandbox/control.ts). */
export async function controlSandbox(path: string, body: object = {}, method = 'POST'): Promise<Json> {
  const response = await fetch(`${sharedStack().sandboxUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: method === 'GET' ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

export const sortedStatuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
