import type { Actions } from './actions.ts';
import { escapeHtml, page } from './page.ts';
import type { Payment, Payments } from './payments.ts';
import type { Reply, Routes } from './router.ts';

/** The pages a buyer sees: where one pays, and what stands in for the shop one comes back to. */
export function checkout(
  payments: Payments,
  actions: Actions,
  decimalAmount: (payment: Payment) => number,
): Routes {
  const withPayment = (code: string | undefined, reply: (payment: Payment) => Reply | Promise<Reply>) => {
    const payment = payments.byCode(code ?? '');
    return payment ? reply(payment) : { status: 404, html: unknownPage };
  };
  const price = (payment: Payment) => {
    const { currency } = payment;
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(decimalAmount(payment));
  };

  return {
    'GET /checkout/:code': ({ params }) =>
      withPayment(params.code, (payment) => ({ html: checkoutPage(payment, price(payment)) })),

    'POST /checkout/:code/pay': ({ params }) =>
      withPayment(params.code, async (payment) => {
        if (payment.status === 'expired') return { location: `/checkout/${payment.code}` };
        await actions.pay(payment);
        return { location: actions.returnUrl(payment) };
      }),

    'POST /checkout/:code/decline': ({ params }) =>
      withPayment(params.code, async (payment) => {
        await actions.decline(payment);
        return { location: `/checkout/${payment.code}` };
      }),

    'POST /checkout/:code/leave': ({ params }) =>
      withPayment(params.code, (payment) => ({ location: payment.leaveUrl || `/checkout/${payment.code}` })),

    'GET /shop/*': ({ query }) => ({ html: shopPage(payments.byReference(query.get('reference') ?? '')) }),
  };
}

const said: Record<Payment['status'], string> = {
  open: '',
  paid: 'This payment was made. Thank you.',
  declined: 'The payment was declined. You can try again, or leave.',
  expired: 'This checkout has expired. Please order again.',
};

function checkoutPage(payment: Payment, price: string): string {
  const canPay = payment.status === 'open' || payment.status === 'declined';
  const path = `/checkout/${escapeHtml(payment.code)}`;
  const actions = canPay
    ? `<form method="post">
<button class="primary" formaction="${path}/pay">Pay ${escapeHtml(price)}</button>
<button formaction="${path}/decline">Decline the payment</button>
<button formaction="${path}/leave">Leave without paying</button>
</form>`
    : `<form method="post"><button formaction="${path}/leave">Back to the shop</button></form>`;
  return page(
    `Pay ${price}`,
    `${said[payment.status] && `<p class="status" role="status">${said[payment.status]}</p>`}
<h1>Sandbox checkout</h1>
<p class="amount">${escapeHtml(price)}</p>
${details({ For: payment.description, Order: payment.reference, Buyer: payment.email, Through: payment.gateway })}
${actions}`,
  );
}

/** Stands where a shop's own page would be. */
function shopPage(payment: Payment | undefined): string {
  const status = payment?.status === 'paid' ? said.paid : 'Nothing was paid.';
  return page(
    'Back at the shop',
    `<h1>Back at the shop</h1>
<p class="status" role="status">${payment ? status : 'There is no order here.'}</p>
${payment ? details({ Order: payment.reference }) : ''}
<p>A shop would show its own page here: set PUBLIC_URL to its address.</p>`,
  );
}

function details(entries: Record<string, string>): string {
  const shown = Object.entries(entries).filter(([, value]) => value);
  return `<dl>${shown.map(([term, value]) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
}

const unknownPage = page(
  'Unknown payment',
  '<h1>There is no such payment</h1><p>The link may be incomplete.</p>',
);
