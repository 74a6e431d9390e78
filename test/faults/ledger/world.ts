import { expect } from 'vitest';
import type { Sandbox } from '../../support/sandbox.ts';

/** Something that happens to the money of an organizer; numbers pick one of what is there. */
export type Step = {
  do: string;
  quantity?: number;
  order?: number;
  payout?: number;
  amount?: number;
  webhook?: number;
  isSoldOut?: boolean;
};

/**
 * Loads the code, which reads its configuration when it is imported.
 * @param provider where the payments are made and the transfers go
 */
export async function loadWorlds(sandbox: Sandbox) {
  const { createEvent } = await import('../../../shared/events/editing/create-event.ts');
  const { eventCreation } = await import('../../../shared/events/editing/event-input.ts');
  const { insertUser } = await import('../../../shared/users/store.ts');
  const { transact } = await import('../../../shared/dynamo/write.ts');
  const { initializeOrder } = await import('../../../shared/orders/checkout/initialize-order.ts');
  const { cancelOrder } = await import('../../../shared/orders/settlement/cancel-order.ts');
  const { newReference } = await import('../../../shared/orders/reference.ts');
  const { receivePayment } = await import('../../../shared/orders/settlement/receive-payment.ts');
  const { fulfilOrders } = await import('../../../shared/orders/fulfilment/fulfil-orders.ts');
  const { getOrder } = await import('../../../shared/orders/store.ts');
  const { gatewayB } = await import('../../../shared/payments/gateway-b/gateway.ts');
  const { transfersB } = await import('../../../shared/payments/gateway-b/gateway.ts');
  const { readGatewayBWebhook } = await import('../../../shared/payments/gateway-b/webhook.ts');
  const { readBalances } = await import('../../../shared/ledger/store.ts');
  const { requestPayout } = await import('../../../shared/payouts/request-payout.ts');
  const { sendPayout } = await import('../../../shared/payouts/send-payout.ts');
  const { settlePayout } = await import('../../../shared/payouts/settle-payout.ts');
  const { findPayout } = await import('../../../shared/payouts/store.ts');
  const { requestRefund } = await import('../../../shared/orders/refunds/request-refund.ts');
  const { sendRefund } = await import('../../../shared/orders/refunds/send-refund.ts');
  const { auditLedger } = await import('../../../infra/operator/ledger-audit.ts');
  const { auditStock } = await import('../../../infra/operator/stock-audit.ts');
  const { DomainError } = await import('../../../shared/core/errors.ts');
  const { newId } = await import('../../../shared/core/ids.ts');

  /** What a caller may be told no about, and what providers that break down cause; anything else is a fault. */
  const refusals = new Set(['conflict', 'provider-failed']);
  const attempt = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof DomainError && refusals.has(error.kind)) return undefined;
      throw error;
    }
  };

  const register = async (): Promise<string> => {
    const id = newId();
    const email = `${id}@example.com`;
    const user = { id, email, name: 'Ann', role: 'USER', walletAddress: null, kycStatus: 'NONE' } as const;
    await transact([insertUser(user, new Date().toISOString())]);
    return id;
  };

  class World {
    readonly organizer: string;
    readonly buyer: string;
    readonly eventId: string;
    readonly tierId: string;
    readonly orders: string[] = [];
    readonly payouts: string[] = [];
    #ending: Promise<unknown> = Promise.resolve();
    constructor(organizer: string, buyer: string, eventId: string, tierId: string) {
      this.organizer = organizer;
      this.buyer = buyer;
      this.eventId = eventId;
      this.tierId = tierId;
    }

    async perform(one: Step): Promise<void> {
      const order = this.orders[(one.order ?? 0) % Math.max(1, this.orders.length)];
      const payout = this.payouts[(one.payout ?? 0) % Math.max(1, this.payouts.length)];
      if (one.do === 'sell') await this.sell(one.quantity ?? 1, false);
      if (one.do === 'sell-together') await this.sellTogether(one.quantity ?? 1);
      if (one.do === 'sell-too-late') await this.sell(one.quantity ?? 1, true, one.isSoldOut);
      if (one.do === 'book-again' && order) await this.book([order]);
      if (one.do === 'refund' && order) await attempt(requestRefund(this.caller(), order));
      if (one.do === 'work-on-refund' && order) await attempt(sendRefund(order));
      if (one.do === 'ask-payout') await this.askPayout(one.amount ?? 1);
      if (one.do === 'work-on-payout' && payout) await sendPayout(payout);
      if (one.do === 'succeed' && payout) await this.end(payout, 'succeed');
      if (one.do === 'fail' && payout) await this.end(payout, 'fail');
      if (one.do === 'fail-for-good' && payout) await this.failForGood(payout);
      if (one.do === 'arrive-after-all' && payout) await this.end(payout, 'succeed', 'failed');
      if (one.do === 'deliver') await this.deliver(one.webhook ?? 0);
      if (one.do === 'break') await sandbox.control('faults', { gateway: 'gateway-b', ...one });
    }

    async sell(quantity: number, isLate: boolean, isSoldOut = false): Promise<void> {
      const orderId = await this.takePaid(quantity, isLate, isSoldOut);
      if (orderId) await this.book([orderId]);
    }

    /** So many orders of a ticket each, booked at once. */
    async sellTogether(count: number): Promise<void> {
      const orders: string[] = [];
      for (let order = 1; order <= count; order++) {
        const orderId = await this.takePaid(1);
        if (orderId) orders.push(orderId);
      }
      await this.book(orders);
    }

    /**
     * An order that is paid but not booked; from here on it can be refunded. None when there are no seats for it.
     * Too late means after the order was given up, sold out that others took its seats meanwhile.
     */
    async takePaid(quantity: number, isLate = false, isSoldOut = false): Promise<string | undefined> {
      const reference = newReference(this.eventId, Date.now());
      const { eventId, tierId } = this;
      const request = { eventId, tierId, quantity, paymentMethod: 'FIAT', gateway: 'gateway-b' } as const;
      const made = await attempt(initializeOrder(this.buyer, request, reference));
      if (!made) return undefined;
      if (isLate) await cancelOrder(this.buyer, made.id);
      if (isSoldOut) for (const rest of [4, 2, 1]) await this.sell(rest, false);
      const payment = await sandbox.control<{ id: number }>(`payments/${reference}`, {}, 'GET');
      await sandbox.control(`payments/${reference}/pay`, { webhook: false });
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

    async book(orderIds: string[]): Promise<void> {
      const { eventId, buyer: userId } = this;
      const again = await fulfilOrders(orderIds.map((orderId) => ({ orderId, eventId, userId })));
      if (again.length > 0) throw new Error(`Not booked: ${again.map((place) => orderIds[place])}`);
    }

    async askPayout(amount: number): Promise<void> {
      const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
      const request = { amount, currency: 'USD', gateway: 'gateway-b', destination } as const;
      const made = await attempt(requestPayout(this.organizer, request, newId()));
      if (made) this.payouts.push(made.id);
    }

    /**
     * The provider ends a transfer that it has in a given state, and a webhook is on its way. One after another:
     * asked for at once, a transfer that succeeded would fail afterwards, which is no transfer any more.
     */
    end(payoutId: string, how: 'succeed' | 'fail', from = 'pending'): Promise<unknown> {
      const ended = this.#ending.then(async () => {
        if ((await this.transferOf(payoutId))?.status === from) {
          await sandbox.control(`transfers/${payoutId}/${how}`);
        }
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

    async transferOf(payoutId: string) {
      const all = await sandbox.control<{ reference: string; status: string; amount: number }[]>(
        'transfers',
        {},
        'GET',
      );
      return all.find(({ reference }) => reference === payoutId);
    }

    /** Any webhook so far, new or old, once more. */
    async deliver(at: number): Promise<void> {
      const delivered = sandbox.webhooks[at % Math.max(1, sandbox.webhooks.length)];
      if (!delivered) return;
      const signal = await readGatewayBWebhook(delivered.body, (name) => delivered.headers[name]?.toString());
      if (signal && 'kind' in signal && signal.kind.startsWith('transfer'))
        await settlePayout(transfersB, signal as never);
    }

    caller() {
      return { userId: this.organizer, email: '', role: 'ORGANIZER' } as const;
    }

    /** Nothing breaks any more, every transfer succeeds, and workers and sweep come by as often as it takes. */
    async finish(): Promise<void> {
      await sandbox.control('faults', {}, 'DELETE');
      await sandbox.control('faults', { holdTransfers: true });
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
      for (let at = 0; at < sandbox.webhooks.length; at++) await this.deliver(at);
    }

    /** How everything ended, after comparing it with what the provider did. */
    async outcome(): Promise<string[]> {
      const payouts = await Promise.all(this.payouts.map((id) => findPayout(id)));
      let paidOut = 0n;
      for (const payout of payouts) {
        const transfer = await this.transferOf(payout?.id ?? '');
        const isPaid = transfer?.status === 'succeeded';
        expect(payout?.status).toBe(isPaid ? 'COMPLETED' : 'FAILED');
        if (isPaid) paidOut += BigInt(transfer.amount * 100);
      }
      const [balance] = await readBalances(this.organizer);
      expect(balance?.paidOut ?? 0n).toBe(paidOut);
      const orders = await Promise.all(this.orders.map((id) => getOrder(id)));
      for (const order of orders) {
        const { refunds } = await sandbox.control<{ refunds: { amount: number }[] }>(
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

  const open = async () => {
    const [organizer, buyer] = await Promise.all([register(), register()]);
    const tiers = [{ name: 'Floor', price: 33.35, quantity: 6, maxPerPerson: 100 }];
    const startDate = new Date(Date.now() + 86_400_000).toISOString();
    const creation = eventCreation.parse({ title: 'Jazz', venue: 'Club', startDate, tiers });
    const event = await createEvent(creation, organizer);
    return new World(organizer, buyer, event.id, event.tiers[0]?.id ?? '');
  };

  const audit = async () => [...(await auditLedger()), ...(await auditStock())];
  return {
    open,
    audit,
    sendPayout,
    findPayout,
    settlePayout,
    transfersB,
    gatewayB,
    sendRefund,
    requestRefund,
    getOrder,
  };
}
