import type { Actions } from './actions.ts';
import type { Faults } from './faults.ts';
import type { Payment, Payments } from './providers/payments.ts';
import type { Transfer, Transfers } from './providers/transfers.ts';
import type { Reply, Routes } from './router.ts';

/**
 * The control API, with which tests and the demo act as buyers and banks. A response follows the first delivery attempt
 * of each webhook and contains the attempts' results.
 *
 * `POST /control/payments/{reference}/pay` accepts optional JSON: `amount` (in the provider's unit) and `currency` to
 * pay another amount than requested, `repeat` and `delayMs` for its webhook, and `webhook: false` to send none.
 * `POST /control/transfers/{reference}/fail` and `/wait` accept `word`, the provider's name for the status.
 */
export function control(payments: Payments, transfers: Transfers, actions: Actions, faults: Faults): Routes {
  const payment = (reference: string | undefined, reply: (found: Payment) => Reply | Promise<Reply>) => {
    const found = payments.byReference(reference ?? '');
    return found ? reply(found) : notFound(`No payment has the reference ${reference}`);
  };
  const transfer = (reference: string | undefined, reply: (found: Transfer) => Reply | Promise<Reply>) => {
    const found = transfers.get(reference ?? '');
    return found ? reply(found) : notFound(`No transfer has the reference ${reference}`);
  };
  const finish = (status: 'succeeded' | 'failed') => (found: Transfer, body: object) =>
    actions.endTransfer(found, status, body).then((deliveries) => ({ json: { deliveries } }));

  return {
    'GET /control/payments/:reference': ({ params }) => payment(params.reference, (json) => ({ json })),
    'POST /control/payments/:reference/pay': ({ params, body }) =>
      payment(params.reference, async (found) => ({
        json: { deliveries: await actions.pay(found, body), returnUrl: actions.returnUrl(found) },
      })),
    'POST /control/payments/:reference/decline': ({ params, body }) =>
      payment(params.reference, async (found) => ({
        json: { deliveries: await actions.decline(found, body) },
      })),
    'POST /control/payments/:reference/leave': ({ params }) =>
      payment(params.reference, ({ leaveUrl }) => ({ json: { returnUrl: leaveUrl } })),

    'POST /control/payments/:reference/refund': ({ params, body }) =>
      payment(params.reference, async (found) => ({
        json: { deliveries: await actions.refund(found, body) },
      })),
    'POST /control/payments/:reference/dispute': ({ params, body }) =>
      payment(params.reference, async (found) => ({
        json: { deliveries: await actions.dispute(found, body) },
      })),
    'POST /control/payments/:reference/end-refunds': ({ params, body }) =>
      payment(params.reference, (found) => ({ json: payments.endRefunds(found, body.status ?? 'done') })),

    'GET /control/transfers': () => ({ json: transfers.all() }),
    'GET /control/transfers/:reference': ({ params }) => transfer(params.reference, (json) => ({ json })),
    'POST /control/transfers/:reference/succeed': ({ params, body }) =>
      transfer(params.reference, (found) => finish('succeeded')(found, body)),
    'POST /control/transfers/:reference/fail': ({ params, body }) =>
      transfer(params.reference, (found) => finish('failed')(found, body)),
    'POST /control/transfers/:reference/wait': ({ params, body }) =>
      transfer(params.reference, (found) => ({ json: transfers.change(found, 'pending', body.word) })),

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
