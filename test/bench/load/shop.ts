import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Stack } from './stack.ts';

export interface Reply {
  status: number;
  text: string;
  /** From sending the request to the last byte of the response. */
  milliseconds: number;
}

export interface PlacedOrder {
  reference: string;
  totalAmount: number;
}

/** A tier on sale, with a client that sends the requests of its buyers and of gateway-a. */
export class Shop {
  readonly #stack: Stack;
  readonly #agent = new Agent({ keepAlive: true });
  #sale = { eventId: '', tierId: '' };

  private constructor(stack: Stack) {
    this.#stack = stack;
  }

  static async open(stack: Stack, tickets: number): Promise<Shop> {
    const shop = new Shop(stack);
    const email = `${randomUUID()}@example.com`;
    const organizer = { email, password: 'correct horse battery', name: 'Olga Organizer', role: 'ORGANIZER' };
    const registered = await shop.#post('/api/auth/register', organizer);
    const fields = {
      title: 'An evening under load',
      venue: 'Arena',
      startDate: '2040-01-01T20:00:00Z',
      tiers: [{ name: 'Floor', price: 50, quantity: tickets, maxPerPerson: 10 }],
    };
    const created = await shop.#post('/api/events', fields, bearer(JSON.parse(registered.text).token));
    if (created.status !== 201) throw new Error(`Answered ${created.status}: ${created.text}`);
    const { event } = JSON.parse(created.text);
    shop.#sale = { eventId: event.id, tierId: event.tiers[0].id };
    return shop;
  }

  /** Orders tickets, to be paid with gateway-a. */
  initialize(token: string, quantity: number): Promise<Reply> {
    const order = { ...this.#sale, quantity, paymentMethod: 'FIAT', gateway: 'gateway-a' };
    return this.#post('/api/orders/initialize', order, bearer(token));
  }

  /** Sends gateway-a's webhook for a paid order. */
  reportPayment({ reference, totalAmount }: PlacedOrder): Promise<Reply> {
    const data = { id: 4_099_260_516, reference, amount: Math.round(totalAmount * 100), currency: 'USD' };
    const webhook = { event: 'charge.success', data };
    const signature = createHmac('sha512', this.#stack.gatewaySecret).update(JSON.stringify(webhook));
    return this.#post('/api/webhooks/gateway-a', webhook, {
      'x-gateway-a-signature': signature.digest('hex'),
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(path: string, content: object, extraHeaders: Record<string, string> = {}): Promise<Reply> {
    const body = JSON.stringify(content);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...extraHeaders,
    };
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', agent: this.#agent, headers };
      request(this.#stack.apiUrl + path, options, async (response) => {
        const chunks = await response.toArray();
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          milliseconds: performance.now() - startedAt,
        });
      })
        .once('error', reject)
        .end(body);
    });
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
