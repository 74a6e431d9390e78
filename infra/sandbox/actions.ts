import type { Attempt, Deliveries, DeliveryOptions } from './deliveries.ts';
import type {
  DisputeStatus,
  GatewayName,
  Money,
  Payment,
  Payments,
  Transfer,
  Transfers,
} from './payments.ts';
import type { Provider, ReversalKind } from './provider.ts';

export interface PayOptions extends DeliveryOptions, Partial<Money> {
  /** With false, the payment succeeds but the webhook is never sent. */
  webhook?: boolean;
}

/** Changes of payments and transfers, requested on the checkout page or through the control API. */
export class Actions {
  readonly #payments: Payments;
  readonly #transfers: Transfers;
  readonly #providers: Record<GatewayName, Provider>;
  readonly #deliveries: Deliveries;

  constructor(
    payments: Payments,
    transfers: Transfers,
    providers: Record<GatewayName, Provider>,
    deliveries: Deliveries,
  ) {
    this.#payments = payments;
    this.#transfers = transfers;
    this.#providers = providers;
    this.#deliveries = deliveries;
  }

  /** Completes a payment and sends its webhook. For a completed payment, sends the webhook again. */
  pay(
    payment: Payment,
    { webhook = true, amount, currency, ...delivery }: PayOptions = {},
  ): Promise<Attempt[]> {
    const paid = this.#payments.pay(payment, { amount, currency });
    return webhook ? this.#sendPaymentEvent(paid, 'paid', delivery) : Promise.resolve([]);
  }

  decline(payment: Payment, { webhook = true, ...delivery }: PayOptions = {}): Promise<Attempt[]> {
    const declined = this.#payments.decline(payment);
    return webhook ? this.#sendPaymentEvent(declined, 'failed', delivery) : Promise.resolve([]);
  }

  /**
   * Refunds a payment, as in the provider's dashboard, and sends its webhook. For a refunded payment, sends the webhook
   * again.
   * @param amount default: the amount not refunded yet
   * @throws Error for an unpaid payment, an amount that exceeds the unrefunded amount, and while refunds are refused
   */
  async refund(
    payment: Payment,
    { amount, ...delivery }: DeliveryOptions & { amount?: number } = {},
  ): Promise<Attempt[]> {
    this.#refund(payment, amount);
    return this.#sendReversalEvent(payment, 'refund', delivery);
  }

  /**
   * Ends all pending refunds of a payment and sends the webhook about it.
   * @param status default: `done`; `failed` also fails those that are done
   */
  endRefunds(
    payment: Payment,
    { status = 'done', ...delivery }: DeliveryOptions & { status?: 'done' | 'failed' } = {},
  ): Promise<Attempt[]> {
    this.#payments.endRefunds(payment, status);
    return this.#sendReversalEvent(payment, 'ended-refund', delivery);
  }

  /**
   * Opens or ends a buyer's dispute, and sends its webhook. At gateway-c the dispute itself takes the money, at the other
   * providers a lost dispute is also a refund.
   * @throws Error for an unpaid payment; as `refund` for a lost dispute that is a refund
   */
  async dispute(
    payment: Payment,
    { status = 'open', ...delivery }: DeliveryOptions & { status?: DisputeStatus } = {},
  ): Promise<Attempt[]> {
    if (payment.status !== 'paid') throw new Error('The payment is not paid');
    if (status === 'lost' && payment.gateway !== 'gateway-c') this.#refund(payment);
    this.#payments.dispute(this.#latest(payment), status);
    return this.#sendReversalEvent(payment, 'dispute', delivery);
  }

  #refund(payment: Payment, amount?: number): void {
    const isRepeated = amount === undefined && payment.refunds.length > 0;
    if (!this.#payments.refund(payment, amount) && !isRepeated)
      throw new Error('The payment can’t be refunded');
  }

  #latest(payment: Payment): Payment {
    return this.#payments.findByCode(payment.code) ?? payment;
  }

  #sendReversalEvent(
    payment: Payment,
    reversalKind: ReversalKind,
    delivery: DeliveryOptions,
  ): Promise<Attempt[]> {
    const event = this.#providers[payment.gateway].reversalEvent(this.#latest(payment), reversalKind);
    return this.#deliveries.send(payment.gateway, event, delivery);
  }

  returnUrl(payment: Payment): string {
    return this.#providers[payment.gateway].returnUrl(payment);
  }

  /** Ends a transfer and sends its webhook. @param providerStatus the provider's name for the status */
  endTransfer(
    transfer: Transfer,
    status: 'succeeded' | 'failed',
    { providerStatus, ...delivery }: DeliveryOptions & { providerStatus?: string } = {},
  ): Promise<Attempt[]> {
    const finished = this.#transfers.setStatus(transfer, status, providerStatus);
    const event = this.#providers[transfer.gateway].transferEvent?.(finished);
    return event ? this.#deliveries.send(transfer.gateway, event, delivery) : Promise.resolve([]);
  }

  #sendPaymentEvent(
    payment: Payment,
    outcome: 'paid' | 'failed',
    delivery: DeliveryOptions,
  ): Promise<Attempt[]> {
    const event = this.#providers[payment.gateway].paymentEvent(payment, outcome);
    return this.#deliveries.send(payment.gateway, event, delivery);
  }
}
