import { escapeHtml, renderPage } from './page.ts';
import type { Payment } from './providers/payments.ts';

const statusTexts: Record<Payment['status'], string> = {
  open: '',
  paid: 'This payment was made. Thank you.',
  declined: 'The payment was declined. You can try again, or leave.',
  expired: 'This checkout has expired. Please order again.',
};

/** @param price the formatted amount to pay */
export function renderCheckoutPage(payment: Payment, price: string): string {
  const path = `/checkout/${escapeHtml(payment.code)}`;
  const status = statusTexts[payment.status];
  const canPay = payment.status === 'open' || payment.status === 'declined';
  const actions = canPay
    ? `<button class="primary" formaction="${path}/pay">Pay ${escapeHtml(price)}</button>
<button formaction="${path}/decline">Decline the payment</button>
<button formaction="${path}/leave">Leave without paying</button>`
    : `<button class="primary" formaction="${path}/leave">Back to the shop</button>`;
  return renderPage(
    `Pay ${price}`,
    `<h1>Sandbox checkout</h1>
<p class="amount">${escapeHtml(price)}</p>
${status && `<p class="status" role="status">${status}</p>`}
${definitionList({ For: payment.description, Order: payment.reference, Buyer: payment.email, Through: payment.gateway })}
<form method="post">${actions}</form>`,
  );
}

function definitionList(entries: Record<string, string>): string {
  const nonEmpty = Object.entries(entries).filter(([, value]) => value);
  return `<dl>${nonEmpty.map(([term, value]) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
}

export const unknownPaymentPage = renderPage(
  'Unknown payment',
  '<h1>There is no such payment</h1><p>The link may be incomplete.</p>',
);
