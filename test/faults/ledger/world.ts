import { expect, vi } from 'vitest';
import { auditLedger } from '../../../infra/operator/ledger-audit.ts';
import { auditInventory } from '../../../infra/operator/stock-audit.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { newId } from '../../../shared/core/ids.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { queryAll } from '../../../shared/dynamo/query.ts';
import { transact } from '../../../shared/dynamo/write.ts';
import { changeEvent } from '../../../shared/events/editing/change-event.ts';
import { createEvent } from '../../../shared/events/editing/create-event.ts';
import { eventCreation } from '../../../shared/events/editing/event-input.ts';
import { reviseEvent } from '../../../shared/events/editing/revise-event.ts';
import { endOf, inventoryOf, latestEndOf } from '../../../shared/events/event.ts';
import { getEvent } from '../../../shared/events/store.ts';
import { countUnavailable } from '../../../shared/inventory/inventory.ts';
import { readInventory } from '../../../shared/inventory/store.ts';
import { releaseUpcomingEarnings } from '../../../shared/ledger/release-upcoming.ts';
import { readBalances } from '../../../shared/ledger/store.ts';
import { initializeOrder } from '../../../shared/orders/checkout/initialize-order.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import { newReference } from '../../../shared/orders/order.ts';
import { receiveReturn } from '../../../shared/orders/refunds/receive-return.ts';
import { requestRefund } from '../../../shared/orders/refunds/request-refund.ts';
import { sendRefund } from '../../../shared/orders/refunds/send-refund.ts';
import { cancelOrder } from '../../../shared/orders/settlement/cancel-order.ts';
import { receivePayment } from '../../../shared/orders/settlement/receive-payment.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayB, transferGatewayB } from '../../../shared/payments/gateway-b/gateway.ts';
import { readGatewayBWebhook } from '../../../shared/payments/gateway-b/webhook.ts';
import { requestPayout } from '../../../shared/payouts/request-payout.ts';
import { sendPayout } from '../../../shared/payouts/send-payout.ts';
import { settlePayout } from '../../../shared/payouts/settle-payout.ts';
import { findPayout } from '../../../shared/payouts/store.ts';
import { insertUser } from '../../../shared/users/store.ts';
import type { Sandbox } from '../../support/sandbox.ts';

/** A step of a history; a number selects one of the orders, payouts or webhooks so far. */
export type Step = {
  do: string;
  quantity?: number;
  order?: number;
  payout?: number;
  amount?: number;
  webhook?: number;
  isSoldOut?: boolean;
  hours?: number;
  from?: string;
};

const hour = 60 * 60_000;

/** Refusals that callers may get, also of a failing provider; every other error is a defect. */
const refusals = new Set(['conflict', 'provider-failed']);

async function attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && refusals.has(error.kind)) return undefined;
    throw error;
  }
}

async function register(): Promise<string> {
  const id = newId();
  const email = `${id}@example.com`;
  const user = {
    id,
    email,
    name: 'Ann',
    role: 'USER',
    walletAddress: null,
    kycStatus: 'NONE',
    emailVerified: false,
  } as const;
  await transact([insertUser(user, new Date().toISOString())]);
  return id;
}

/** An organizer, a buyer, and what the provider and we did about their money. */
export class World {
  readonly #sandbox: Sandbox;
  readonly organizer: string;
  readonly buyer: string;
  readonly eventId: string;
  readonly tierId: string;
  readonly orders: string[] = [];
  readonly payouts: string[] = [];
  #ending: Promise<unknown> = Promise.resolve();
  /** The latest end that the event had since tickets were sold or held, epoch milliseconds. */
  #latestEnd = 0;
  #releases = 0;
  readonly #chargedBack = new Set<string>();

  private constructor(
    sandbox: Sandbox,
    organizer: string,
    buyer: string,
    event: { id: string; tiers: { id: string }[] },
  ) {
    this.#sandbox = sandbox;
    this.organizer = organizer;
    this.buyer = buyer;
    this.eventId = event.id;
    this.tierId = event.tiers[0]?.id ?? '';
  }

  /** @param sandbox where payments are made and transfers go */
  static async open(sandbox: Sandbox): Promise<World> {
    const [organizer, buyer] = await Promise.all([register(), register()]);
    const tiers = [{ name: 'Floor', price: 33.35, quantity: 6, maxPerPerson: 100 }];
    const startDate = new Date(Date.now() + 86_400_000).toISOString();
    const creation = eventCreation.parse({ title: 'Jazz', venue: 'Club', startDate, tiers });
    return new World(sandbox, organizer, buyer, await createEvent(creation, organizer));
  }

  async perform(one: Step): Promise<void> {
    const order = this.orders[(one.order ?? 0) % Math.max(1, this.orders.length)];
    const payout = this.payouts[(one.payout ?? 0) % Math.max(1, this.payouts.length)];
    if (one.do === 'sell') await this.sell(one.quantity ?? 1, false);
    if (one.do === 'sell-together') await this.sellTogether(one.quantity ?? 1);
    if (one.do === 'sell-too-late') await this.sell(one.quantity ?? 1, true, one.isSoldOut);
    if (one.do === 'post-again' && order) await this.post([order]);
    if (one.do === 'refund' && order) await attempt(requestRefund(this.caller(), order));
    if (one.do === 'work-on-refund' && order) await attempt(sendRefund(order));
    if (one.do === 'ask-payout') await this.askPayout(one.amount ?? 1);
    if (one.do === 'work-on-payout' && payout) await sendPayout(payout);
    if (one.do === 'succeed' && payout) await this.end(payout, 'succeed');
    if (one.do === 'fail' && payout) await this.end(payout, 'fail');
    if (one.do === 'fail-for-good' && payout) await this.failForGood(payout);
    if (one.do === 'arrive-after-all' && payout) await this.end(payout, 'succeed', 'failed');
    if (one.do === 'deliver') await this.deliver(one.webhook ?? 0);
    if (one.do === 'charge-back' && order) await this.chargeBack(order);
    if (one.do === 'pass-time') vi.setSystemTime(Date.now() + (one.hours ?? 0) * hour);
    if (one.do === 'move-event') await this.moveEvent(one.hours ?? 0);
    if (one.do === 'pay-out-from') process.env.PAYOUTS_FROM = one.from;
    if (one.do === 'release') await this.release();
    if (one.do === 'break') await this.#sandbox.control('faults', { gateway: 'gateway-b', ...one });
  }

  async sell(quantity: number, isLate: boolean, isSoldOut = false): Promise<void> {
    const orderId = await this.sellUnposted(quantity, isLate, isSoldOut);
    if (orderId) await this.post([orderId]);
  }

  /** Sells `count` orders of one ticket each, posted together. */
  async sellTogether(count: number): Promise<void> {
    const orders: string[] = [];
    for (let order = 1; order <= count; order++) {
      const orderId = await this.sellUnposted(1);
      if (orderId) orders.push(orderId);
    }
    await this.post(orders);
  }

  /**
   * Sells an order that is paid but not posted, and can be refunded. Undefined when there are no tickets left.
   * @param isLate pay after the order was cancelled
   * @param isSoldOut sell its tickets to others before it is paid
   */
  async sellUnposted(quantity: number, isLate = false, isSoldOut = false): Promise<string | undefined> {
    const reference = newReference(this.eventId, Date.now());
    const { eventId, tierId } = this;
    const request = { eventId, tierId, quantity, paymentMethod: 'FIAT', gateway: 'gateway-b' } as const;
    const made = await attempt(initializeOrder(this.buyer, request, reference));
    if (!made) return undefined;
    if (isLate) await cancelOrder(this.buyer, made.id);
    if (isSoldOut) for (const rest of [4, 2, 1]) await this.sell(rest, false);
    const payment = await this.#sandbox.control<{ id: number }>(`payments/${reference}`, {}, 'GET');
    await this.#sandbox.control(`payments/${reference}/pay`, { webhook: false });
    const { totalAmount: amount, currency } = made;
    await receivePayment(gatewayB, {
      kind: 'paid',
      reference,
      transactionId: `${payment.id}`,
      amount,
      currency,
    });
    this.orders.push(made.id);
    return made.id;
  }

  /** The provider refunds an order on its own, and reports it by webhook. */
  async chargeBack(orderId: string): Promise<void> {
    const { reference } = await getOrder(orderId);
    await this.#sandbox.control(`payments/${reference}/refund`);
    this.#chargedBack.add(reference);
    await this.reportReturn(reference);
  }

  async reportReturn(reference: string): Promise<void> {
    await attempt(receiveReturn('gateway-b', { reference, isDispute: false }));
  }

  /** Moves the event to begin so many hours from now. */
  async moveEvent(hours: number): Promise<void> {
    const eventDate = new Date(Date.now() + hours * hour).toISOString();
    const change = { eventDate, saleEnd: eventDate, saleStart: '2020-01-01T00:00:00.000Z' };
    await changeEvent(this.eventId, this.organizer, (event) => reviseEvent(event, change));
  }

  async release(): Promise<void> {
    const { organizer: organizerId, eventId: endedEventId } = this;
    await releaseUpcomingEarnings({ organizerId, endedEventId, currency: 'USD' });
  }

  /** Checks that nothing was released before the latest end that the event had before these steps. */
  async checkReleases(together: readonly Step[]): Promise<void> {
    const { pk: partition, sk: prefix } = keys.ledgerEntry(this.organizer, 'release#');
    const ends: number[] = [];
    for await (const { at } of queryAll({ partition, prefix })) ends.push(Date.parse(String(at)));
    if (ends.length > this.#releases) expect(Math.max(...ends)).toBeGreaterThanOrEqual(this.#latestEnd);
    this.#releases = ends.length;
    const event = await getEvent(this.eventId);
    const inventory = inventoryOf(event);
    const isUnsold = countUnavailable(inventory.pools, await readInventory(inventory)) === 0;
    // Concurrent refunds can leave no ticket sold for an instant, in which the event may be rescheduled.
    const isUncertain = together.length > 1 && together.some((one) => one.do === 'move-event');
    if (isUnsold || isUncertain) this.#latestEnd = 0;
    this.#latestEnd = Math.max(this.#latestEnd, endOf(event));
  }

  async post(orderIds: string[]): Promise<void> {
    const { eventId, buyer: userId } = this;
    const again = await fulfilOrders(orderIds.map((orderId) => ({ orderId, eventId, userId })));
    if (again.length > 0) throw new Error(`Not posted: ${again.map((place) => orderIds[place])}`);
  }

  async askPayout(amount: number): Promise<void> {
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
    const request = { amount, currency: 'USD', gateway: 'gateway-b', destination } as const;
    const made = await attempt(requestPayout(this.organizer, request, newId()));
    if (made) this.payouts.push(made.id);
  }

  /**
   * Has the provider end a transfer that is in state `from`, and send a webhook. Serialized, since two requests at
   * once could fail a transfer that succeeded.
   */
  end(payoutId: string, how: 'succeed' | 'fail', from = 'pending'): Promise<unknown> {
    const ended = this.#ending.then(async () => {
      const newest = await this.transferOf(payoutId);
      if (newest?.status === from) await this.#sandbox.control(`transfers/${newest.reference}/${how}`);
    });
    this.#ending = ended.catch(() => {});
    return ended;
  }

  async failForGood(payoutId: string): Promise<void> {
    for (let attempt = 1; attempt <= 6; attempt++) {
      await sendPayout(payoutId);
      await this.end(payoutId, 'fail');
    }
  }

  /** The newest transfer of a payout. */
  async transferOf(payoutId: string) {
    return (await this.transfersOf(payoutId)).at(-1);
  }

  /** The transfers of a payout at the provider, oldest first: at most nine. */
  async transfersOf(payoutId: string) {
    const all = await this.#sandbox.control<{ reference: string; status: string; amount: number }[]>(
      'transfers',
      {},
      'GET',
    );
    const own = all.filter(({ reference }) => reference.startsWith(payoutId));
    return own.sort((a, b) => (a.reference < b.reference ? -1 : 1));
  }

  /** Delivers any webhook so far, new or old, again. */
  async deliver(at: number): Promise<void> {
    const delivered = this.#sandbox.webhooks[at % Math.max(1, this.#sandbox.webhooks.length)];
    if (!delivered) return;
    const signal = await readGatewayBWebhook(delivered.body, (name) => delivered.headers[name]?.toString());
    if (signal && 'kind' in signal && signal.kind.startsWith('transfer'))
      await settlePayout(transferGatewayB, signal as never);
  }

  caller() {
    return { userId: this.organizer, email: '', role: 'ORGANIZER' } as const;
  }

  /**
   * Ends all faults, lets every transfer succeed, runs workers and sweep until everything is final, and releases what
   * waits for the end of the event.
   */
  async finish(): Promise<void> {
    await this.#sandbox.control('faults', {}, 'DELETE');
    await this.#sandbox.control('faults', { holdTransfers: true });
    for (let round = 0; round < 8; round++) {
      for (const id of this.orders) {
        await attempt(sendRefund(id));
        if ((await getOrder(id)).refund?.status === 'failed') await requestRefund(this.caller(), id);
      }
      for (const id of this.payouts) {
        await sendPayout(id);
        await this.end(id, 'succeed');
      }
    }
    for (let index = 0; index < this.#sandbox.webhooks.length; index++) await this.deliver(index);
    for (const reference of this.#chargedBack) await this.reportReturn(reference);
    vi.setSystemTime(Math.max(Date.now(), latestEndOf(await getEvent(this.eventId))));
    await this.release();
  }

  /** Compares our records with the provider's. @returns the final statuses of payouts and refunds */
  async outcome(): Promise<string[]> {
    const payouts = await Promise.all(this.payouts.map((id) => findPayout(id)));
    let paidOut = 0n;
    for (const payout of payouts) {
      const transfers = await this.transfersOf(payout?.id ?? '');
      const [paid, ...again] = transfers.filter(({ status }) => status === 'succeeded');
      expect(again).toEqual([]);
      const unpaid = payout?.isUncovered ? 'PENDING' : 'FAILED';
      expect(payout?.status).toBe(paid ? 'COMPLETED' : unpaid);
      if (paid) paidOut += BigInt(paid.amount * 100);
    }
    const [balance] = await readBalances(this.organizer);
    expect(balance?.paidOut ?? 0n).toBe(paidOut);
    expect(balance?.upcoming ?? 0n).toBe(0n);
    const orders = await Promise.all(this.orders.map((id) => getOrder(id)));
    for (const order of orders) {
      const { refunds } = await this.#sandbox.control<{ refunds: { amount: number }[] }>(
        `payments/${order.reference}`,
        {},
        'GET',
      );
      const expected =
        order.fulfilmentStatus === 'refund-due' ? [{ amount: Number(order.totalAmount) / 100 }] : [];
      expect(refunds).toMatchObject(expected);
      expect(order.refund?.status).toBe(expected.length > 0 ? 'done' : undefined);
    }
    return [
      ...payouts.map((payout) => `payout ${payout?.status}`),
      ...orders.map(({ refund }) => `refund ${refund?.status ?? 'none'}`),
    ];
  }
}

/** Returns the findings of the ledger audit and the inventory audit. */
export const audit = async () => [...(await auditLedger()), ...(await auditInventory())];
