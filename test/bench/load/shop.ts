import { createHmac, randomUUID } from 'node:crypto';
import { keys } from '../../../shared/dynamo/keys.ts';
import { queryAll } from '../../../shared/dynamo/query.ts';
import { orderEntryPrefix } from '../../../shared/money/ledger/ledger.ts';
import { Client, type Reply } from './client.ts';
import type { Stack } from './stack.ts';

export interface PlacedOrder {
  reference: string;
  totalAmount: number;
}

/** A tier on sale. Sends the HTTP requests of its buyers and of gateway-a. */
export class Shop {
  readonly #client: Client;
  readonly #secret: string;
  #organizerId = '';
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
    const { token, user } = await shop.#postExpecting(201, '/api/auth/register', organizer);
    shop.#organizerId = user.id;
    const eventFields = {
      title: 'An evening under load',
      venue: 'Arena',
      startDate: '2040-01-01T20:00:00Z',
      tiers: [{ name: 'Floor', price: 50, quantity: tickets, maxPerPerson: 10 }],
    };
    const { event } = await shop.#postExpecting(201, '/api/events', eventFields, token);
    shop.#eventId = event.id;
    shop.#tierId = event.tiers[0].id;
    return shop;
  }

  /** Orders tickets, to be paid with gateway-a. */
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

  /** Sends gateway-a's webhook for a paid order. */
  reportPayment({ reference, totalAmount }: PlacedOrder): Promise<Reply> {
    const data = { id: 4_099_260_516, reference, amount: Math.round(totalAmount * 100), currency: 'USD' };
    const body = JSON.stringify({ event: 'charge.success', data });
    const signature = createHmac('sha512', this.#secret).update(body).digest('hex');
    return this.#client.post('/api/webhooks/gateway-a', body, { 'x-gateway-a-signature': signature });
  }

  /** Counts the batches in which the shop's orders were fulfilled: each posts one entry to the ledger. */
  async countFulfilmentBatches(): Promise<number> {
    const { pk, sk } = keys.ledgerEntry(this.#organizerId, orderEntryPrefix(this.#eventId));
    let count = 0;
    for await (const _entry of queryAll({ partition: pk, prefix: sk })) count++;
    return count;
  }

  close(): void {
    this.#client.close();
  }

  #post(path: string, body: object, token?: string): Promise<Reply> {
    return this.#client.post(path, JSON.stringify(body), token ? { authorization: `Bearer ${token}` } : {});
  }

  async #postExpecting(status: number, path: string, body: object, token?: string) {
    const reply = await this.#post(path, body, token);
    if (reply.status !== status) throw new Error(`Answered ${reply.status}: ${reply.text}`);
    return JSON.parse(reply.text);
  }
}
