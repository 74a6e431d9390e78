import { randomBytes, randomInt } from 'node:crypto';
import { Journal } from './journal.ts';

export const gatewayNames = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** An amount in the unit its provider counts in: subunits for gateway-a and -c, major units for gateway-b. */
export interface Money {
  amount: number;
  currency: string;
}

export interface Refund extends Money {
  id: number;
  /** The provider's own id of the payment it gives back. */
  paymentId: number;
  /** What the merchant wrote on it. */
  note: string;
}

export interface Payment extends Money {
  gateway: GatewayName;
  /** The merchant's name for it. */
  reference: string;
  /** The provider's name for it, in webhooks and refunds. */
  id: number;
  /** What stands in the checkout link. */
  code: string;
  email: string;
  description: string;
  /** Where the buyer goes afterwards, and where when leaving without paying. */
  returnUrl: string;
  leaveUrl: string;
  status: 'open' | 'paid' | 'declined' | 'expired';
  /** What was really paid; a test may have it differ from what was asked for. */
  paid?: Money;
  refunds: Refund[];
  createdAt: string;
}

export type NewPayment = Omit<Payment, 'id' | 'code' | 'status' | 'refunds' | 'createdAt'>;

/** All payments the sandbox was asked for. */
export class Payments {
  readonly #journal: Journal<Payment>;
  readonly #codes = new Map<string, string>();

  constructor(file: string) {
    this.#journal = new Journal(file);
    for (const { reference, code } of this.#journal.values()) this.#codes.set(reference, code);
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

  byCode(code: string): Payment | undefined {
    return this.#journal.get(code);
  }

  /** The newest of that reference. */
  byReference(reference: string): Payment | undefined {
    return this.byCode(this.#codes.get(reference) ?? '');
  }

  byId(id: number): Payment | undefined {
    return this.all().find((payment) => payment.id === id);
  }

  all(): Payment[] {
    return this.#journal.values();
  }

  pay(
    payment: Payment,
    { amount = payment.amount, currency = payment.currency }: Partial<Money> = {},
  ): Payment {
    return this.#save({ ...payment, status: 'paid', paid: { amount, currency } });
  }

  /** What is paid stays paid, as with a buyer who tries a second card after the first was charged. */
  decline(payment: Payment): Payment {
    return payment.status === 'paid' ? payment : this.#save({ ...payment, status: 'declined' });
  }

  expire(payment: Payment): Payment {
    return this.#save({ ...payment, status: 'expired' });
  }

  /** @returns the refund, or undefined when less is left than should be given back */
  refund(payment: Payment, amount?: number, note = ''): Refund | undefined {
    const { paid, refunds } = payment;
    if (!paid) return undefined;
    const left = paid.amount - refunds.reduce((sum, refund) => sum + refund.amount, 0);
    const back = amount ?? left;
    if (!(back > 0) || back > left) return undefined;
    const refund = { id: newId(), paymentId: payment.id, amount: back, currency: paid.currency, note };
    this.#save({ ...payment, refunds: [...refunds, refund] });
    return refund;
  }

  #save(payment: Payment): Payment {
    this.#journal.set(payment.code, payment);
    this.#codes.set(payment.reference, payment.code);
    return payment;
  }
}

/** Providers number across all merchants, so neighbours are far apart. */
export function newId(): number {
  return randomInt(1_000_000_000, 9_999_999_999);
}
