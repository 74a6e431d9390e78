import type { Actions } from './actions.ts';
import type { Payment, Payments } from './payments.ts';
import type { Reply, Routes } from './router.ts';

// The checkout page is plain HTML that works without scripts, at any width, in light and dark.

const style = `
:root {
  color-scheme: light dark;
  --back: light-dark(#eef0f4, #14161b);
  --card: light-dark(#fff, #1e2129);
  --text: light-dark(#1b1f27, #eceef2);
  --quiet: light-dark(#59606e, #a4abb8);
  --line: light-dark(#d7dbe3, #353a46);
  --accent: light-dark(#1d5fd0, #7fb0ff);
  --on-accent: light-dark(#fff, #0c1424);
  --notice: light-dark(#fff2c9, #4a3c0b);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
header { padding: .6rem 1rem; background: var(--notice); text-align: center; font-size: .9rem; }
main {
  width: min(26rem, 100% - 2rem); margin: clamp(1rem, 8vh, 5rem) auto;
  padding: clamp(1.25rem, 5vw, 2rem);
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
}
h1 { margin: 0 0 .25rem; font-size: 1.1rem; font-weight: 600; }
.amount { margin: 0 0 1.25rem; font-size: 2.25rem; font-weight: 700; letter-spacing: -.02em; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1rem; margin: 0 0 1.5rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; text-align: right; }
form { display: grid; gap: .6rem; }
button, .button {
  display: block; width: 100%; min-height: 3rem; padding: .6rem 1rem;
  border: 1px solid var(--line); border-radius: .7rem; background: none; color: inherit;
  font: inherit; text-align: center; text-decoration: none; cursor: pointer;
}
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button:hover, .button:hover { filter: brightness(1.08); border-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.status { margin: 0 0 1.25rem; padding: .75rem 1rem; border-left: 4px solid var(--accent); background: var(--back); }
`;

const unknownPaymentPage = renderPage(
  'Unknown payment',
  '<h1>There is no such payment</h1><p>The link may be incomplete.</p>',
);

/** Returns the routes of the checkout page, on which a buyer pays, declines or leaves. */
export function checkoutRoutes(
  payments: Payments,
  actions: Actions,
  decimalAmount: (payment: Payment) => number,
): Routes {
  const withPayment = (code: string | undefined, reply: (payment: Payment) => Reply | Promise<Reply>) => {
    const payment = payments.findByCode(code ?? '');
    return payment ? reply(payment) : { status: 404, html: unknownPaymentPage };
  };
  const formatPrice = (payment: Payment) => {
    const { currency } = payment;
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(decimalAmount(payment));
  };

  return {
    'GET /checkout/:code': ({ params }) =>
      withPayment(params.code, (payment) => ({ html: renderCheckoutPage(payment, formatPrice(payment)) })),

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
  };
}

const statusTexts: Record<Payment['status'], string> = {
  open: '',
  paid: 'This payment was made. Thank you.',
  declined: 'The payment was declined. You can try again, or leave.',
  expired: 'This checkout has expired. Please order again.',
};

/** @param price the formatted amount to pay */
function renderCheckoutPage(payment: Payment, price: string): string {
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

/** Escapes text for HTML. */
function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderPage(title: string, mainHtml: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>Sandbox: this is a test page, and no money moves.</header>
<main>${mainHtml}</main>
</body>
</html>
`;
}
