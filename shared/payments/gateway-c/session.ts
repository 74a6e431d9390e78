import type Stripe from 'stripe';
import { readPaid } from '../amount.ts';
import type { PaymentSignal } from '../gateway.ts';
import { plainText } from '../parse-webhook.ts';

/** Whether a session's money is there: some ways to pay are completed days before it is. */
export function isPaid({ payment_status: status }: Stripe.Checkout.Session): boolean {
  return status === 'paid' || status === 'no_payment_required';
}

/** What a session tells. Refunds ask for the payment's id, so that is the transaction. */
export function sessionSignal(
  kind: PaymentSignal['kind'],
  { id, client_reference_id, payment_intent, amount_total, currency }: Stripe.Checkout.Session,
): PaymentSignal {
  const payment = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  return {
    kind,
    reference: client_reference_id ?? '',
    transactionId: plainText(payment ?? id),
    ...readPaid('gateway-c', 'sub', amount_total, currency),
  };
}
