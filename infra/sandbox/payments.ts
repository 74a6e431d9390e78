import { randomBytes, randomInt } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Records of one kind, by key. Each change is appended to a file, from which the next start reads them. */
export class Records<Value> {
  readonly #kind: string;
  readonly #file: string | undefined;
  readonly #values = new Map<string, Value>();

  /** @param file a file for records of all kinds; without it, they are lost when the sandbox stops */
  constructor(kind: string, file: string | undefined) {
    this.#kind = kind;
    this.#file = file;
    if (!file || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const [lineKind, key, value] = JSON.parse(line);
      if (lineKind === kind) this.#values.set(key, value);
    }
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify([this.#kind, key, value])}\n`);
  }

  /** Returns the values in the order in which their keys were first set. */
  values(): Value[] {
    return [...this.#values.values()];
  }
}

export const gatewayNames = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** An amount in the provider's unit: subunits for gateway-a and gateway-c, major units for gateway-b. */
export interface Money {
  amount: number;
  currency: string;
}

export interface Refund extends Money {
  id: number;
  /** The provider's id of the refunded payment. */
  paymentId: number;
  /** The merchant's note. */
  note: string;
  status: 'pending' | 'done' | 'failed';
}

/**
 * `inquiry`: the buyer's bank asks about the payment, and the provider has not withdrawn the money. `blocked`: the
 * provider refused the dispute before it was opened.
 */
export type DisputeStatus = 'inquiry' | 'open' | 'lost' | 'won' | 'blocked';

/** Returns whether a dispute is undecided. */
export function isUndecided(status: DisputeStatus | undefined): boolean {
  return status === 'inquiry' || status === 'open';
}

export interface Payment extends Money {
  gateway: GatewayName;
  /** The merchant's reference. */
  reference: string;
  /** The provider's id, in webhooks and refunds. */
  id: number;
  /** The code in the checkout link. */
  code: string;
  email: string;
  description: string;
  /** The page to which the buyer is redirected after the payment. */
  returnUrl: string;
  /** The page to which the buyer is redirected after leaving without paying. */
  leaveUrl: string;
  status: 'open' | 'paid' | 'declined' | 'expired';
  /** The amount that was paid. A test can make it differ from the requested amount. */
  paid?: Money;
  refunds: Refund[];
  /** The state of the buyer's dispute. */
  dispute?: DisputeStatus;
  createdAt: string;
}

export type NewPayment = Omit<Payment, 'id' | 'code' | 'status' | 'refunds' | 'createdAt'>;

/** Determines the results of refunds. */
export interface RefundFaults {
  nextRefund(): 'refused' | 'pending' | 'done';
}

/** All payments of the sandbox's providers. */
export class Payments {
  readonly #records: Records<Payment>;
  readonly #codesByReference = new Map<string, string>();
  readonly #faults: RefundFaults;

  constructor(file: string | undefined, faults: RefundFaults) {
    this.#faults = faults;
    this.#records = new Records('payment', file);
    for (const { reference, code } of this.#records.values()) this.#codesByReference.set(reference, code);
  }

  create(payment: NewPayment): Payment {
    return this.#save({
      ...payment,
      id: newId(),
      code: randomBytes(12).toString('hex'),
      status: 'open',
      refunds: [],
      createdAt: new Date().toISOString(),
    });
  }

  findByCode(code: string): Payment | undefined {
    return this.#records.get(code);
  }

  /** Returns the newest payment with a reference. */
  findByReference(reference: string): Payment | undefined {
    return this.findByCode(this.#codesByReference.get(reference) ?? '');
  }

  findById(id: number): Payment | undefined {
    return this.list().find((payment) => payment.id === id);
  }

  list(): Payment[] {
    return this.#records.values();
  }

  pay(
    payment: Payment,
    { amount = payment.amount, currency = payment.currency }: Partial<Money> = {},
  ): Payment {
    return this.#save({ ...payment, status: 'paid', paid: { amount, currency } });
  }

  /**
   * Declines a payment. A paid one stays paid, as when a buyer tries a second card after the first was charged, and an
   * expired one stays expired.
   */
  decline(payment: Payment): Payment {
    const isFinal = payment.status === 'paid' || payment.status === 'expired';
    return isFinal ? payment : this.#save({ ...payment, status: 'declined' });
  }

  expire(payment: Payment): Payment {
    return this.#save({ ...payment, status: 'expired' });
  }

  /**
   * Refunds a payment.
   * @returns undefined when the amount exceeds the unrefunded amount, or while refunds are refused
   */
  refund(payment: Payment, amount?: number, note = ''): Refund | undefined {
    const { paid, refunds } = payment;
    const status = this.#faults.nextRefund();
    if (!paid || status === 'refused') return undefined;
    const notFailed = refunds.filter((refund) => refund.status !== 'failed');
    const returned = notFailed.reduce((sum, refund) => sum + refund.amount, 0);
    // No currency has more than three decimals; sums of fractions are inexact.
    const unrefunded = Math.round((paid.amount - returned) * 1_000) / 1_000;
    const refundAmount = amount ?? unrefunded;
    if (!(refundAmount > 0) || refundAmount > unrefunded) return undefined;
    const refund: Refund = {
      id: newId(),
      paymentId: payment.id,
      note,
      amount: refundAmount,
      currency: paid.currency,
      status,
    };
    this.#save({ ...payment, refunds: [...refunds, refund] });
    return refund;
  }

  dispute(payment: Payment, status: DisputeStatus): Payment {
    return this.#save({ ...payment, dispute: status });
  }

  /** Ends all pending refunds of a payment. A bank can also reject one that is done. */
  endRefunds(payment: Payment, status: 'done' | 'failed'): Payment {
    const endRefund = (refund: Refund) =>
      refund.status === 'pending' || status === 'failed' ? { ...refund, status } : refund;
    return this.#save({ ...payment, refunds: payment.refunds.map(endRefund) });
  }

  #save(payment: Payment): Payment {
    this.#records.set(payment.code, payment);
    this.#codesByReference.set(payment.reference, payment.code);
    return payment;
  }
}

/** Returns a random id. At a provider all merchants share one sequence of ids, so one merchant's ids are far apart. */
export function newId(): number {
  return randomInt(1_000_000_000, 9_999_999_999);
}

export interface Transfer extends Money {
  gateway: GatewayName;
  reference: string;
  id: number;
  recipient: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** The provider's name for the status, where a test has chosen it: some statuses have several names. */
  providerStatus?: string;
}

export type NewTransfer = Omit<Transfer, 'id' | 'status' | 'providerStatus'>;

/** Transfers to organizers. Each reference has at most one transfer, even when it fails. */
export class Transfers {
  readonly #records: Records<Transfer>;

  constructor(file: string | undefined) {
    this.#records = new Records('transfer', file);
  }

  /** Returns the transfer with the reference, and whether this call created it. */
  create(newTransfer: NewTransfer): { transfer: Transfer; isNew: boolean } {
    const existing = this.find(newTransfer.reference);
    if (existing) return { transfer: existing, isNew: false };
    return { transfer: this.#save({ ...newTransfer, id: newId(), status: 'pending' }), isNew: true };
  }

  find(reference: string): Transfer | undefined {
    return this.#records.get(reference);
  }

  list(): Transfer[] {
    return this.#records.values();
  }

  setStatus(transfer: Transfer, status: Transfer['status'], providerStatus?: string): Transfer {
    return this.#save({ ...transfer, status, providerStatus });
  }

  #save(transfer: Transfer): Transfer {
    this.#records.set(transfer.reference, transfer);
    return transfer;
  }
}
