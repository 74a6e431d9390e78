import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { changeEvent } from '../../../shared/catalog/events/editing/change-event.ts';
import { inventoryOf } from '../../../shared/catalog/events/event.ts';
import { listEvents } from '../../../shared/catalog/events/list-events.ts';
import { getEvent } from '../../../shared/catalog/events/store.ts';
import { readAvailable } from '../../../shared/catalog/inventory/store.ts';
import { newId } from '../../../shared/core/ids.ts';
import { listNotifications } from '../../../shared/messaging/notifications/store.ts';
import { readBalances } from '../../../shared/money/ledger/store.ts';
import { requestPayout } from '../../../shared/money/payouts/request-payout.ts';
import { findPayout } from '../../../shared/money/payouts/store.ts';
import { findBurn } from '../../../shared/nft/burning/store.ts';
import { encodeReference, type Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { confirmOrder } from '../../../shared/orders/settlement/crypto-payment.ts';
import { receivePayment } from '../../../shared/orders/settlement/settle-order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayA } from '../../../shared/payments/gateway-a.ts';
import { findTickets } from '../../../shared/tickets/store.ts';
import type { Ticket } from '../../../shared/tickets/ticket.ts';
import type { QueuedMessage } from './rounds.ts';
import type { SharedResources } from './shared-resources.ts';
import { authorizeMinting, openSale, placeOrder, registerUser, type Sale } from './tenant.ts';

const buyerWallet = developmentWallet(50).address;
const payerWallet = developmentWallet(7).address;

/**
 * An organizer who sells tickets, refunds an order, cancels an event and requests payouts. Each round has the same
 * steps in every history (a run of all rounds), with or without hostile acts.
 */
export class HonestTenant {
  readonly #resources: SharedResources;
  readonly #sales: { main: Sale; cancelled: Sale; crypto: Sale };
  readonly #buyerId: string;
  readonly #orders = new Map<string, Order>();
  readonly #payouts = new Map<string, string>();

  private constructor(
    resources: SharedResources,
    sales: { main: Sale; cancelled: Sale; crypto: Sale },
    buyerId: string,
  ) {
    this.#resources = resources;
    this.#sales = sales;
    this.#buyerId = buyerId;
  }

  static async open(resources: SharedResources): Promise<HonestTenant> {
    const organizerId = await registerUser();
    const contract = resources.contracts.honest;
    await authorizeMinting(organizerId, contract);
    const main = await openSale(organizerId, { contract, currency: 'NGN' });
    const cancelled = await openSale(organizerId, { currency: 'NGN' });
    const crypto = await openSale(organizerId, { contract, currency: 'ETH', price: 0.01 });
    return new HonestTenant(resources, { main, cancelled, crypto }, await registerUser(buyerWallet));
  }

  async performRound(round: number): Promise<void> {
    const { main, cancelled } = this.#sales;
    if (round === 0) {
      for (const name of ['minted 1', 'minted 2', 'refunded']) await this.#sell(name, main);
      for (const name of ['cancelled 1', 'cancelled 2']) await this.#sell(name, cancelled);
      await this.#placeOrder('abandoned', main);
      await this.#placeOrder('pending when cancelled', cancelled);
      await this.#sellForCrypto();
    }
    if (round === 2) await this.#sell('minted 3', main);
    if (round === 3) {
      await this.#refund('refunded');
      await this.#requestPayout('payout 1');
      await changeEvent(cancelled.eventId, cancelled.organizerId, (event) => ({
        ...event,
        status: 'CANCELLED',
      }));
    }
    if (round === 5) await this.#requestPayout('payout 2');
  }

  /** Returns whether a message contains the id of an order, event or payout of this tenant. */
  owns({ body }: QueuedMessage): boolean {
    const message = JSON.parse(body);
    const orders = [...this.#orders.values()].map(({ id }) => id);
    const events = Object.values(this.#sales).map(({ eventId }) => eventId);
    return (
      orders.includes(message.orderId ?? message.burnOrderId) ||
      [...this.#payouts.values()].includes(message.payoutId) ||
      events.includes(message.eventId)
    );
  }

  /** Returns the state of each order and payout as text. */
  async readStates(): Promise<Record<string, string>> {
    const orders = [...this.#orders].map(async ([name, { id }]) => [name, await this.#readState(id)]);
    const payouts = [...this.#payouts].map(async ([name, id]) => [name, (await findPayout(id))?.status]);
    return Object.fromEntries(await Promise.all([...orders, ...payouts]));
  }

  /** Returns everything that its organizer and its buyer can see. */
  async readOutcome(): Promise<object> {
    const { main, cancelled, crypto } = this.#sales;
    const { organizerId } = main;
    const balances = await readBalances(organizerId);
    const { notifications } = await listNotifications(this.#buyerId, { limit: 100, unreadOnly: false });
    const available = await Promise.all([main, cancelled, crypto].map(countAvailable));
    const { events } = await listEvents({ organizerId, limit: 20 }, undefined);
    return {
      states: await this.readStates(),
      balances: JSON.stringify(balances, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
      notifications: notifications.map(({ title }) => title).sort(),
      available,
      listed: events.length,
    };
  }

  async #placeOrder(name: string, sale: Sale): Promise<Order> {
    const order = await placeOrder(sale, this.#buyerId, { quantity: 2, gateway: 'gateway-a' });
    this.#orders.set(name, order);
    return order;
  }

  async #sell(name: string, sale: Sale): Promise<void> {
    const { reference, totalAmount: amount, currency } = await this.#placeOrder(name, sale);
    const { id } = await this.#resources.sandbox.control(`payments/${reference}`, {}, 'GET');
    await this.#resources.sandbox.control(`payments/${reference}/pay`, { webhook: false });
    await receivePayment(gatewayA, { kind: 'paid', reference, transactionId: `${id}`, amount, currency });
  }

  async #sellForCrypto(): Promise<void> {
    const { node } = this.#resources;
    const order = await placeOrder(this.#sales.crypto, this.#buyerId, { paymentMethod: 'CRYPTO' });
    this.#orders.set('paid on the chain', order);
    const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
    const transfer = {
      from: payerWallet,
      to: order.chainTerms?.to,
      value: `0x${order.totalAmount.toString(16)}`,
      data: encodeReference(order.reference),
    };
    const hash = await node.call<string>('eth_sendTransaction', { ...transfer, gas: '0x186a0', ...fees });
    await node.mine();
    // Refused while the transaction is not final. The sweep completes the order later.
    await confirmOrder(this.#buyerId, order.id, hash).catch(() => {});
  }

  async #refund(name: string): Promise<void> {
    const caller = { userId: this.#sales.main.organizerId, role: 'ORGANIZER' } as never;
    await requestRefund(caller, this.#orders.get(name)?.id ?? '');
  }

  async #requestPayout(name: string): Promise<void> {
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
    const request = { amount: 30, currency: 'NGN', gateway: 'gateway-a', destination } as const;
    const { id } = await requestPayout(this.#sales.main.organizerId, request, newId());
    this.#payouts.set(name, id);
  }

  async #readState(id: string): Promise<string> {
    const order = await getOrder(id);
    const tickets: Ticket[] = [];
    for await (const ticket of findTickets(this.#buyerId, { from: `${id}-`, to: `${id}-~` }, 100)) {
      tickets.push(ticket);
    }
    const burn = await findBurn(id);
    const burned = tickets.filter(({ burnedAt }) => burnedAt).length;
    return [
      order.paymentStatus,
      order.failureReason,
      order.fulfilmentStatus,
      order.fulfilmentReason,
      `${tickets.length} tickets`,
      order.refund && `refund ${order.refund.status}`,
      burn && `burn ${burn.status} ${burned}`,
    ]
      .filter(Boolean)
      .join(', ');
  }
}

async function countAvailable({ eventId }: Sale): Promise<number> {
  const [available] = await readAvailable([inventoryOf(await getEvent(eventId))]);
  return [...(available?.values() ?? [])][0] ?? 0;
}
