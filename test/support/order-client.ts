import { call } from './http.ts';
import { registerUser } from './people.ts';
import type { Stack } from './stack.ts';

const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();

/** Creates functions that sell tickets on a separate stack, and call the control API of its sandbox. */
export function createOrderClient(stack: Stack) {
  const api = (method: string, path: string, options: object = {}) =>
    call(method, path, { apiUrl: stack.apiUrl, ...options });

  return {
    api,

    /** Calls the control API (infra/sandbox/control.ts). */
    async control(path: string, body: object = {}) {
      const headers = { 'content-type': 'application/json' };
      const url = `${stack.sandboxUrl}/control/${path}`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response.json();
    },

    /** Creates a published event in the currency, with one tier of 100 tickets. */
    async openSale(currency = 'NGN') {
      const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
      const tiers = [{ name: 'Standing', price: 50, quantity: 100 }];
      const body = { title: 'Jazz', venue: 'Club', startDate: inAMonth, tiers };
      const { event } = (await api('POST', '/api/events', { token, body })).body;
      return (await api('PUT', `/api/events/${event.id}`, { token, body: { currency } })).body.event;
    },

    /** Registers a buyer, and initializes an order of two tickets for them. */
    async initializeOrder(event: { id: string; tiers: { id: string }[] }, fields: object) {
      const { token } = await registerUser({}, stack);
      const body = { eventId: event.id, tierId: event.tiers[0]?.id, quantity: 2, ...fields };
      const { body: answer } = await api('POST', '/api/orders/initialize', { token, body });
      return {
        ...answer,
        token,
        read: async () => (await api('GET', `/api/orders/${answer.orderId}`, { token })).body.order,
      };
    },

    async countAvailable({ id }: { id: string }): Promise<number> {
      return (await api('GET', `/api/events/${id}`)).body.event.tiers[0].available;
    },
  };
}

export type OrderClient = ReturnType<typeof createOrderClient>;
