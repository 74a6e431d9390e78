import { expect, vi } from 'vitest';
import { findInventoryDifferences } from '../../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../../infra/ops/reconcile-ledger.ts';
import { insertUser } from '../../../shared/accounts/users/store.ts';
import { changeEvent } from '../../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { endOf, inventoryOf, latestEndOf } from '../../../shared/catalog/events/event.ts';
import { getEvent } from '../../../shared/catalog/events/store.ts';
import { countUnavailable } from '../../../shared/catalog/inventory/inventory.ts';
import { readInventory } from '../../../shared/catalog/inventory/store.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { newId } from '../../../shared/core/ids.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { queryAll } from '../../../shared/dynamo/read.ts';
import { transact } from '../../../shared/dynamo/write.ts';
import { readBalances } from '../../../shared/money/ledger/store.ts';
import { unlockEarnings } from '../../../shared/money/ledger/unlock-earnings.ts';
import { requestPayout } from '../../../shared/money/payouts/request-payout.ts';
import { sendPayout } from '../../../shared/money/payouts/send-payout.ts';
import { settlePayout } from '../../../shared/money/payouts/settle-payout.ts';
import { findPayout } from '../../../shared/money/payouts/store.ts';
import { initializeOrder } from '../../../shared/orders/checkout/initialize-order.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import { newReference } from '../../../shared/orders/order.ts';
import { receiveReturn } from '../../../shared/orders/refunds/receive-return.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { sendRefund } from '../../../shared/orders/refunds/send-refund.ts';
import { cancelOrder } from '../../../shared/orders/settlement/end-order.ts';
import { receivePayment } from '../../../shared/orders/settlement/settle-order.ts';
import { getOrder, OrderTransitionRefused } from '../../../shared/orders/store.ts';
import { breakerOpenMilliseconds } from '../../../shared/payments/breaker.ts';
import { gatewayB, readGatewayBWebhook } from '../../../shared/payments/gateway-b.ts';
import type { Sandbox } from '../../support/sandbox.ts';

/** A step of a history. `order`, `payout` and `webhook` select an existing one, by index modulo their number. */
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
  mode?: string;
  times?: number;
};

const hour = 60 * 60_000;

/** The kinds of errors that callers may get. Every other error is a defect. */
const expectedKinds = new Set(['conflict', 'provider-failed']);

async function attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && expectedKinds.has(error.kind)) return undefined;
    throw error;
  }
}

async function registerUser(): Promise<string> {
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

/** An organizer with an event, a buyer, their orders and payouts, and the provider's sandbox. */
export class World {
  readonly #sandbox: Sandbox;
  readonly organizerId: string;
  readonly buyerId: string;
  readonly eventId: string;
  readonly tierId: string;
  readonly orderIds: string[] = [];
  readonly payoutIds: string[] = [];
  #lastTransferEnd: Promise<unknown> = Promise.resolve();
  /** The latest end that the event has had while any ticket was sold or held, epoch milliseconds. */
  #latestEnd = 0;
  #unlockCount = 0;
  readonly #chargedBackReferences = new Set<string>();

  private constructor(
    sandbox: Sandbox,
    organizerId: string,
    buyerId: string,
    event: { id: string; tiers: { id: string }[] },
  ) {
    this.#sandbox = sandbox;
    this.organizerId = organizerId;
    this.buyerId = buyerId;
    this.eventId = event.id;
    this.tierId = event.tiers[0]?.id ?? '';
  }

  static async open(sandbox: Sandbox): Promise<World> {
    const [organizerId, buyerId] = await Promise.all([registerUser(), registerUser()]);
    const tiers = [{ name: 'Floor', price: 33.35, quantity: 6, maxPerPerson: 100 }];
    const startDate = new Date(Date.now() + 86_400_000).toISOString();
    const creation = eventCreation.parse({ title: 'Jazz', venue: 'Club', startDate, tiers });
    return new World(sandbox, organizerId, buyerId, await createEvent(creation, organizerId));
  }

  async perform(step: Step): Promise<void> {
    const orderId = this.orderIds[(step.order ?? 0) % Math.max(1, this.orderIds.length)];
    const payoutId = this.payoutIds[(step.payout ?? 0) % Math.max(1, this.payoutIds.length)];
    if (step.do === 'sell') await this.sell(step.quantity ?? 1);
    if (step.do === 'sell-together') await this.sellTogether(step.quantity ?? 1);
    if (step.do === 'sell-late') await this.sell(step.quantity ?? 1, true, step.isSoldOut);
    if (step.do === 'post-again' && orderId) await this.post([orderId]);
    if (step.do === 'refund' && orderId) await attempt(requestRefund(this.caller(), orderId));
    if (step.do === 'send-refund' && orderId) await attempt(sendRefund(orderId));
    if (step.do === 'request-payout') await this.requestPayout(step.amount ?? 1);
    if (step.do === 'send-payout' && payoutId) await sendPayout(payoutId);
    if (step.do === 'end-transfer-as-succeeded' && payoutId) await this.endTransfer(payoutId, 'succeed');
    if (step.do === 'end-transfer-as-failed' && payoutId) await this.endTransfer(payoutId, 'fail');
    if (step.do === 'fail-payout' && payoutId) await this.failPayout(payoutId);
    if (step.do === 'succeed-after-failure' && payoutId)
      await this.endTransfer(payoutId, 'succeed', 'failed');
    if (step.do === 'deliver-webhook') await this.deliverWebhook(step.webhook ?? 0);
    if (step.do === 'charge-back' && orderId) await this.chargeBack(orderId);
    if (step.do === 'advance-clock') vi.setSystemTime(Date.now() + (step.hours ?? 0) * hour);
    if (step.do === 'reschedule-event') await this.rescheduleEvent(step.hours ?? 0);
    if (step.do === 'set-payouts-from') process.env.PAYOUTS_FROM = step.from;
    if (step.do === 'unlock') await this.unlockEarnings();
    if (step.do === 'inject-gateway-fault')
      await this.#sandbox.control('faults', { gateway: 'gateway-b', ...step });
  }

  async sell(quantity: number, isLate = false, isSoldOut = false): Promise<void> {
    const orderId = await this.sellUnposted(quantity, isLate, isSoldOut);
    if (orderId) await this.post([orderId]);
  }

  /** Sells `count` orders of one ticket each, posted together. */
  async sellTogether(count: number): Promise<void> {
    const orderIds: string[] = [];
    for (let index = 0; index < count; index++) {
      const orderId = await this.sellUnposted(1);
      if (orderId) orderIds.push(orderId);
    }
    await this.post(orderIds);
  }

  /**
   * Creates and pays an order without posting it.
   * @param isLate pay after the order was cancelled
   * @param isSoldOut sell all tickets in other orders before it is paid
   * @returns its id; undefined when the order is refused, or the provider fails
   */
  async sellUnposted(quantity: number, isLate = false, isSoldOut = false): Promise<string | undefined> {
    const reference = newReference(this.eventId, Date.now());
    const { eventId, tierId } = this;
    const request = { eventId, tierId, quantity, paymentMethod: 'FIAT', gateway: 'gateway-b' } as const;
    const order = await attempt(initializeOrder(this.buyerId, request, reference));
    if (!order) return undefined;
    if (isLate) await cancelOrder(this.buyerId, order.id);
    if (isSoldOut) for (const remaining of [4, 2, 1]) await this.sell(remaining);
    const payment = await this.#sandbox.control<{ id: number }>(`payments/${reference}`, {}, 'GET');
    await this.#sandbox.control(`payments/${reference}/pay`, { webhook: false });
    const { totalAmount: amount, currency } = order;
    await receivePayment(gatewayB, {
      kind: 'paid',
      reference,
      transactionId: `${payment.id}`,
      amount,
      currency,
    });
    this.orderIds.push(order.id);
    return order.id;
  }

  /** Makes the provider refund an order without our request, and reports the refund as a webhook would. */
  async chargeBack(orderId: string): Promise<void> {
    const { reference } = await getOrder(orderId);
    await this.#sandbox.control(`payments/${reference}/refund`);
    this.#chargedBackReferences.add(reference);
    await this.reportReturn(reference);
  }

  /**
   * Delivers the report of a return. A report is refused while a worker completes or postpones the refund; `finish`
   * delivers every report again, as the provider does.
   */
  async reportReturn(reference: string): Promise<void> {
    const report = receiveReturn('gateway-b', { reference, isDispute: false });
    await attempt(report).catch((error) => {
      if (!(error instanceof OrderTransitionRefused)) throw error;
    });
  }

  /** Reschedules the event to begin `hours` from now. */
  async rescheduleEvent(hours: number): Promise<void> {
    const eventDate = new Date(Date.now() + hours * hour).toISOString();
    const change = { eventDate, saleEnd: eventDate, saleStart: '2020-01-01T00:00:00.000Z' };
    await changeEvent(this.eventId, this.organizerId, (event) => reviseEvent(event, change));
  }

  async unlockEarnings(): Promise<void> {
    const { organizerId, eventId } = this;
    await unlockEarnings({ organizerId, eventId, currency: 'USD' });
  }

  /** Checks that `steps`, which were just performed, unlocked no earnings before `#latestEnd`, and updates it. */
  async checkUnlocks(steps: readonly Step[]): Promise<void> {
    const { pk: partition, sk: prefix } = keys.ledgerEntry(this.organizerId, 'unlock#');
    const unlockedAt: number[] = [];
    for await (const { at } of queryAll({ partition, prefix })) unlockedAt.push(Date.parse(String(at)));
    if (unlockedAt.length > this.#unlockCount)
      expect(Math.max(...unlockedAt)).toBeGreaterThanOrEqual(this.#latestEnd);
    this.#unlockCount = unlockedAt.length;
    const event = await getEvent(this.eventId);
    const inventory = inventoryOf(event);
    const isUnsold = countUnavailable(inventory.pools, await readInventory(inventory)) === 0;
    // Concurrent refunds can leave no ticket sold for an instant, in which the event may be rescheduled.
    const isUncertain = steps.length > 1 && steps.some((step) => step.do === 'reschedule-event');
    if (isUnsold || isUncertain) this.#latestEnd = 0;
    this.#latestEnd = Math.max(this.#latestEnd, endOf(event));
  }

  /** Fulfils paid orders, which posts them to the ledger. */
  async post(orderIds: string[]): Promise<void> {
    const { eventId, buyerId: userId } = this;
    const failedIndexes = await fulfilOrders(orderIds.map((orderId) => ({ orderId, eventId, userId })));
    if (failedIndexes.length > 0)
      throw new Error(`Not posted: ${failedIndexes.map((index) => orderIds[index])}`);
  }

  async requestPayout(amount: number): Promise<void> {
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
    const request = { amount, currency: 'USD', gateway: 'gateway-b', destination } as const;
    const payout = await attempt(requestPayout(this.organizerId, request, newId()));
    if (payout) this.payoutIds.push(payout.id);
  }

  /**
   * Makes the provider end a payout's newest transfer if its status is `from`, and send a webhook. Calls are
   * serialized, since two concurrent ones could fail a transfer that succeeded.
   */
  endTransfer(payoutId: string, result: 'succeed' | 'fail', from = 'pending'): Promise<unknown> {
    const transferEnd = this.#lastTransferEnd.then(async () => {
      const newest = await this.newestTransferOf(payoutId);
      if (newest?.status === from) await this.#sandbox.control(`transfers/${newest.reference}/${result}`);
    });
    this.#lastTransferEnd = transferEnd.catch(() => {});
    return transferEnd;
  }

  /** Sends a payout until all its attempts have failed. */
  async failPayout(payoutId: string): Promise<void> {
    for (let attempt = 1; attempt <= 6; attempt++) {
      await sendPayout(payoutId);
      await this.endTransfer(payoutId, 'fail');
    }
  }

  async newestTransferOf(payoutId: string) {
    return (await this.transfersOf(payoutId)).at(-1);
  }

  /** The transfers of a payout at the provider, oldest first. Sorts their references as text: correct up to nine. */
  async transfersOf(payoutId: string) {
    const transfers = await this.#sandbox.control<{ reference: string; status: string; amount: number }[]>(
      'transfers',
      {},
      'GET',
    );
    const payoutTransfers = transfers.filter(({ reference }) => reference.startsWith(payoutId));
    return payoutTransfers.sort((a, b) => (a.reference < b.reference ? -1 : 1));
  }

  /** Delivers one of the webhooks so far, which may have been delivered before. */
  async deliverWebhook(index: number): Promise<void> {
    const webhook = this.#sandbox.webhooks[index % Math.max(1, this.#sandbox.webhooks.length)];
    if (!webhook) return;
    const signal = await readGatewayBWebhook(webhook.body, (name) => webhook.headers[name]?.toString());
    if (signal && 'kind' in signal && signal.kind.startsWith('transfer'))
      await settlePayout('gateway-b', signal as never);
  }

  caller() {
    return { userId: this.organizerId, email: '', role: 'ORGANIZER' } as const;
  }

  /**
   * Ends all faults, lets every transfer succeed, sends refunds and payouts until all are final, and unlocks the
   * earnings that wait for the end of the event.
   */
  async finish(): Promise<void> {
    await this.#sandbox.control('faults', {}, 'DELETE');
    // Transfers stay pending until `endTransfer` ends them.
    await this.#sandbox.control('faults', { holdTransfers: true });
    for (let round = 0; round < 8; round++) {
      // The faults may have opened the provider's circuit breaker.
      vi.setSystemTime(Date.now() + breakerOpenMilliseconds);
      for (const id of this.orderIds) {
        await attempt(sendRefund(id));
        if ((await getOrder(id)).refund?.status === 'failed') await requestRefund(this.caller(), id);
      }
      for (const id of this.payoutIds) {
        await sendPayout(id);
        await this.endTransfer(id, 'succeed');
      }
    }
    for (let index = 0; index < this.#sandbox.webhooks.length; index++) await this.deliverWebhook(index);
    for (const reference of this.#chargedBackReferences) await this.reportReturn(reference);
    vi.setSystemTime(Math.max(Date.now(), latestEndOf(await getEvent(this.eventId))));
    await this.unlockEarnings();
  }

  /** Compares the service's records with the provider's. @returns the final statuses of payouts and refunds */
  async checkOutcome(): Promise<string[]> {
    const payouts = await Promise.all(this.payoutIds.map((id) => findPayout(id)));
    let paidOut = 0n;
    for (const payout of payouts) {
      const transfers = await this.transfersOf(payout?.id ?? '');
      const [paid, ...duplicates] = transfers.filter(({ status }) => status === 'succeeded');
      expect(duplicates).toEqual([]);
      const statusIfUnpaid = payout?.isUncovered ? 'PENDING' : 'FAILED';
      expect(payout?.status).toBe(paid ? 'COMPLETED' : statusIfUnpaid);
      if (paid) paidOut += BigInt(paid.amount * 100);
    }
    const [balance] = await readBalances(this.organizerId);
    expect(balance?.paidOut ?? 0n).toBe(paidOut);
    expect(balance?.upcoming ?? 0n).toBe(0n);
    const orders = await Promise.all(this.orderIds.map((id) => getOrder(id)));
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

/** Returns the findings of the reconciliations of ledger and inventory. */
export const reconcile = async () => [
  ...(await findLedgerDifferences()),
  ...(await findInventoryDifferences()),
];
