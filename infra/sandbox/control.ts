import type { Actions } from './actions.ts';
import type { Faults } from './faults.ts';
import type { Payment, Payments } from './providers/payments.ts';
import type { Transfer, Transfers } from './providers/transfers.ts';
import type { Reply, Routes } from './router.ts';

/**
 * Returns the routes of the control API, with which tests and the demo act as buyers and banks. A response contains the
 * result of each webhook's first delivery attempt.
 *
 * Requests that send a webhook accept optional JSON: `repeat`, the number of concurrent deliveries, and `delayMs`, the
 * delay before them. `POST /control/payments/{reference}/pay` also accepts `amount` (in the provider's unit) and
 * `currency` to pay another amount than requested, and `webhook: false` to send no webhook. `POST
 * /control/payments/{reference}/dispute` accepts `status`, the dispute's new state: `open` (the default), `inquiry`,
 * `won`, `lost` or `blocked`. `POST /control/payments/{reference}/end-refunds` accepts `status`: `done` (the default) or
 * `failed`. `POST /control/transfers/{reference}/fail` and `/wait` accept `word`, the provider's name for the status.
 */
export function controlRoutes(
  payments: Payments,
  transfers: Transfers,
  actions: Actions,
  faults: Faults,
): Routes {
  const withPayment = (
    reference: string | undefined,
    reply: (payment: Payment) => Reply | Promise<Reply>,
  ) => {
    const payment = payments.findByReference(reference ?? '');
    return payment ? reply(payment) : notFound(`No payment has the reference ${reference}`);
  };
  const withTransfer = (
    reference: string | undefined,
    reply: (transfer: Transfer) => Reply | Promise<Reply>,
  ) => {
    const transfer = transfers.find(reference ?? '');
    return transfer ? reply(transfer) : notFound(`No transfer has the reference ${reference}`);
  };
  const endTransfer = (status: 'succeeded' | 'failed') => (transfer: Transfer, body: object) =>
    actions.endTransfer(transfer, status, body).then((deliveries) => ({ json: { deliveries } }));

  return {
    'GET /control/payments/:reference': ({ params }) => withPayment(params.reference, (json) => ({ json })),
    'POST /control/payments/:reference/pay': ({ params, body }) =>
      withPayment(params.reference, async (payment) => ({
        json: { deliveries: await actions.pay(payment, body), returnUrl: actions.returnUrl(payment) },
      })),
    'POST /control/payments/:reference/decline': ({ params, body }) =>
      withPayment(params.reference, async (payment) => ({
        json: { deliveries: await actions.decline(payment, body) },
      })),
    'POST /control/payments/:reference/leave': ({ params }) =>
      withPayment(params.reference, ({ leaveUrl }) => ({ json: { returnUrl: leaveUrl } })),

    'POST /control/payments/:reference/refund': ({ params, body }) =>
      withPayment(params.reference, async (payment) => ({
        json: { deliveries: await actions.refund(payment, body) },
      })),
    'POST /control/payments/:reference/dispute': ({ params, body }) =>
      withPayment(params.reference, async (payment) => ({
        json: { deliveries: await actions.dispute(payment, body) },
      })),
    'POST /control/payments/:reference/end-refunds': ({ params, body }) =>
      withPayment(params.reference, (payment) => ({
        json: payments.endRefunds(payment, body.status ?? 'done'),
      })),

    'GET /control/transfers': () => ({ json: transfers.list() }),
    'GET /control/transfers/:reference': ({ params }) => withTransfer(params.reference, (json) => ({ json })),
    'POST /control/transfers/:reference/succeed': ({ params, body }) =>
      withTransfer(params.reference, (transfer) => endTransfer('succeeded')(transfer, body)),
    'POST /control/transfers/:reference/fail': ({ params, body }) =>
      withTransfer(params.reference, (transfer) => endTransfer('failed')(transfer, body)),
    'POST /control/transfers/:reference/wait': ({ params, body }) =>
      withTransfer(params.reference, (transfer) => ({
        json: transfers.setStatus(transfer, 'pending', body.word),
      })),

    'POST /control/faults': ({ body }) => {
      faults.set(body);
      return { json: { ok: true } };
    },
    'DELETE /control/faults': () => {
      faults.clear();
      return { json: { ok: true } };
    },
  };
}

function notFound(message: string): Reply {
  return { status: 404, json: { message } };
}
