import type { Actions } from './actions.ts';
import { renderCheckoutPage, unknownPaymentPage } from './checkout-page.ts';
import type { Payment, Payments } from './providers/payments.ts';
import type { Reply, Routes } from './router.ts';

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
