import { eventually } from './eventually.ts';
import { type Answer, call } from './http.ts';
import { type Person, registerUser } from './people.ts';
import { sharedStack } from './stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers as they come
type Json = any;

export interface Sale {
  organizer: Person;
  event: Json;
}

const inAMonth = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();

/** A published event with one tier, of a new organizer unless one is given; on request it has the stack's ticket contract. */
export async function openSale(
  fields: {
    title?: string;
    price?: number;
    currency?: string;
    quantity?: number;
    hasContract?: boolean;
    organizer?: Person;
  } = {},
): Promise<Sale> {
  const { title = 'Jazz', price = 50, currency = 'NGN', quantity = 100, hasContract = false } = fields;
  const { ticketContract, chainId } = sharedStack();
  const contract = hasContract ? { contractAddress: ticketContract, chainId } : {};
  const organizer = fields.organizer ?? (await registerUser({ role: 'ORGANIZER' }));
  const tiers = [{ name: 'Standing', price, quantity, maxPerPerson: 10 }];
  const body = { title, venue: 'Club', startDate: inAMonth, tiers, ...contract };
  const created = await call('POST', '/api/events', { token: organizer.token, body });
  const { id } = created.body.event;
  const changed = await call('PUT', `/api/events/${id}`, { token: organizer.token, body: { currency } });
  if (changed.status !== 200) throw new Error(`No event: ${JSON.stringify(changed.body)}`);
  return { organizer, event: changed.body.event };
}

/** An order that waits for its payment. */
export async function order({ event }: Sale, buyer: Person, quantity: number, gateway = 'gateway-a') {
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity, paymentMethod: 'FIAT', gateway };
  const answer = await call('POST', '/api/orders/initialize', { token: buyer.token, body });
  if (answer.status !== 201) throw new Error(`No order: ${JSON.stringify(answer.body)}`);
  return answer.body as { orderId: string; reference: string; totalAmount: number };
}

/** An order that is paid and booked: the buyer was told, the organizer credited. */
export async function buy(sale: Sale, buyer: Person, quantity: number, gateway?: string) {
  const { orderId, reference } = await order(sale, buyer, quantity, gateway);
  await control(`payments/${reference}/pay`);
  // Its status is changed by the booking, or after it; the notification comes before.
  await eventually('The order is booked', async () => {
    const { fulfilment } = await readOrder(buyer, orderId);
    return !['none', 'queued'].includes(fulfilment.status);
  });
  return { orderId, reference };
}

export async function readOrder(buyer: Person, orderId: string): Promise<Json> {
  return (await call('GET', `/api/orders/${orderId}`, { token: buyer.token })).body.order;
}

/** What an organizer has in one currency; zeros when there is nothing. */
export async function balanceOf({ token }: Person, currency = 'NGN'): Promise<Json> {
  const { balances } = (await call('GET', '/api/organizer/balance', { token })).body;
  const found = balances.find((balance: Json) => balance.currency === currency);
  return found ?? { currency, available: 0, pending: 0, paidOut: 0 };
}

/** Does something at the sandbox's providers. */
export async function control(path: string, body: object = {}, method = 'POST'): Promise<Json> {
  const response = await fetch(`${sharedStack().sandboxUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: method === 'GET' ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

export const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
