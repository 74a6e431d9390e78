import { createHmac, randomUUID } from 'node:crypto';
import { Client, type Reply } from './client.ts';
import type { Stack } from './stack.ts';

export interface Placed {
  reference: string;
  totalAmount: number;
}

/** A tier on sale, with the requests of its buyers and of gateway-a, over HTTP. */
export class Shop {
  readonly #client: Client;
  readonly #secret: string;
  #eventId = '';
  #tierId = '';

  private constructor(stack: Stack) {
    this.#client = new Client(stack.apiUrl);
    this.#secret = stack.gatewaySecret;
  }

  static async open(stack: Stack, tickets: number): Promise<Shop> {
    const shop = new Shop(stack);
    const organizer = {
      email: `${randomUUID()}@example.com`,
      password: 'correct horse battery',
      name: 'Olga Organizer',
      role: 'ORGANIZER',
    };
    const { token } = await shop.#expect(201, '/api/auth/register', organizer);
    const sale = {
      title: 'An evening under load',
      venue: 'Arena',
      startDate: '2040-01-01T20:00:00Z',
      tiers: [{ name: 'Floor', price: 50, quantity: tickets, maxPerPerson: 10 }],
    };
    const { event } = await shop.#expect(201, '/api/events', sale, token);
    shop.#eventId = event.id;
    shop.#tierId = event.tiers[0].id;
    return shop;
  }

  /** Orders tickets with gateway-a. */
  initialize(token: string, quantity: number): Promise<Reply> {
    const order = {
      eventId: this.#eventId,
      tierId: this.#tierId,
      quantity,
      paymentMethod: 'FIAT',
      gateway: 'gateway-a',
    };
    return this.#post('/api/orders/initialize', order, token);
  }

  /** Delivers the webhook that reports an order as paid. */
  deliver({ reference, totalAmount }: Placed): Promise<Reply> {
    const data = { id: 4_099_260_516, reference, amount: Math.round(totalAmount * 100), currency: 'USD' };
    const body = JSON.stringify({ event: 'charge.success', data });
    const signature = createHmac('sha512', this.#secret).update(body).digest('hex');
    return this.#client.post('/api/webhooks/gateway-a', body, { 'x-gateway-a-signature': signature });
  }

  close(): void {
    this.#client.close();
  }

  #post(path: string, body: object, token?: string): Promise<Reply> {
    return this.#client.post(path, JSON.stringify(body), token ? { authorization: `Bearer ${token}` } : {});
  }

  async #expect(status: number, path: string, body: object, token?: string) {
    const reply = await this.#post(path, body, token);
    if (reply.status !== status) throw new Error(`Answered ${reply.status}: ${reply.text}`);
    return JSON.parse(reply.text);
  }
}
