import type { Actions } from './actions.ts';
import type { GatewayName, Payment, Payments, Transfer, Transfers } from './payments.ts';
import type { Handler, Reply, Routes } from './router.ts';

/**
 * Returns the routes of the control API, with which tests and the demo act as buyers and banks. A response contains the
 * result of each webhook's first delivery attempt.
 *
 * Requests that send a webhook accept optional JSON: `repeat`, the number of concurrent deliveries, and `delayMs`, the
 * delay before them. `POST /control/payments/{reference}/pay` also accepts `amount` (in the provider's unit) and
 * `currency` to pay another amount than requested, and `webhook: false` to send no webhook. `POST
 * /control/payments/{reference}/dispute` accepts `status`, the dispute's new state: `open` (the default), `inquiry`,
 * `won`, `lost` or `blocked`. `POST /control/payments/{reference}/end-refunds` accepts `status`: `done` (the default) or
 * `failed`, which fails those that are done too. `POST /control/transfers/{reference}/fail` and `/wait` accept `providerStatus`, the provider's name for the status.
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
      withPayment(params.reference, async (payment) => ({
        json: { deliveries: await actions.endRefunds(payment, body) },
      })),

    'GET /control/transfers': () => ({ json: transfers.list() }),
    'GET /control/transfers/:reference': ({ params }) => withTransfer(params.reference, (json) => ({ json })),
    'POST /control/transfers/:reference/succeed': ({ params, body }) =>
      withTransfer(params.reference, (transfer) => endTransfer('succeeded')(transfer, body)),
    'POST /control/transfers/:reference/fail': ({ params, body }) =>
      withTransfer(params.reference, (transfer) => endTransfer('failed')(transfer, body)),
    'POST /control/transfers/:reference/wait': ({ params, body }) =>
      withTransfer(params.reference, (transfer) => ({
        json: transfers.setStatus(transfer, 'pending', body.providerStatus),
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

/**
 * A provider's fault: `error` returns a 500, `refuse` a 400 in the provider's format, `hang` never responds, `slow`
 * responds after 8 s, and `lose` executes the call and closes the connection without a response.
 */
type FaultMode = 'error' | 'refuse' | 'hang' | 'slow' | 'lose';

export interface FaultSettings {
  gateway?: GatewayName;
  mode?: FaultMode;
  /** The only route that fails, such as `POST /transfer`; every route if absent. */
  route?: string;
  /** A text that the bodies of the failing calls contain; every call fails if absent. */
  text?: string;
  /** The number of calls that fail; default 1. */
  times?: number;
  /** How many of the next transfers to `account` fail. */
  failTransfers?: number;
  /** The last characters of the account whose transfers fail or are held; any account if absent. */
  account?: string;
  /** Whether transfers to `account` stay pending until `POST /control/transfers/…` ends them. */
  holdTransfers?: boolean;
  /** How many of the next refunds are refused. */
  refuseRefunds?: number;
  /** Whether refunds stay pending until `POST /control/payments/…/end-refunds`. */
  holdRefunds?: boolean;
}

const slowMilliseconds = 8_000;

/** Faults that tests inject. A restart clears them. */
export class Faults {
  readonly #callFaults = new Map<
    GatewayName,
    { mode: FaultMode; route?: string; text: string; callsLeft: number }
  >();
  /** The number of transfers that will fail, by the last characters of the recipient's account. */
  readonly #failTransfers = new Map<string, number>();
  /** The last characters of the account whose transfers are held; undefined while none are. */
  #heldAccount: string | undefined;
  #refuseRefunds = 0;
  #holdRefunds = false;

  set({ gateway, mode, route, text = '', times = 1, account = '', ...settings }: FaultSettings): void {
    const { failTransfers, holdTransfers } = settings;
    if (gateway && mode) this.#callFaults.set(gateway, { mode, route, text, callsLeft: times });
    if (failTransfers !== undefined) this.#failTransfers.set(account, failTransfers);
    if (holdTransfers !== undefined) this.#heldAccount = holdTransfers ? account : undefined;
    this.#refuseRefunds = settings.refuseRefunds ?? this.#refuseRefunds;
    this.#holdRefunds = settings.holdRefunds ?? this.#holdRefunds;
  }

  clear(): void {
    this.#callFaults.clear();
    this.#failTransfers.clear();
    this.#heldAccount = undefined;
    this.#refuseRefunds = 0;
    this.#holdRefunds = false;
  }

  /** Wraps the handler of a route of the provider's API with the fault that is set for the provider. */
  withFaults(gateway: GatewayName, route: string, handler: Handler): Handler {
    return async (call) => {
      const fault = this.#callFaults.get(gateway);
      const isAffected = fault && (fault.route ?? route) === route && call.text.includes(fault.text);
      if (!isAffected || fault.callsLeft <= 0) return handler(call);
      fault.callsLeft--;
      if (fault.mode === 'error') return { status: 500, json: { message: 'Internal error' } };
      if (fault.mode === 'refuse') return refusal(gateway);
      if (fault.mode === 'hang') return new Promise<Reply>(() => {});
      const reply = await handler(call);
      if (fault.mode === 'lose') return { lost: true };
      await new Promise((resolve) => setTimeout(resolve, slowMilliseconds).unref());
      return reply;
    };
  }

  /** Counts a refund. @returns its result */
  nextRefund(): 'refused' | 'pending' | 'done' {
    if (this.#refuseRefunds <= 0) return this.#holdRefunds ? 'pending' : 'done';
    this.#refuseRefunds--;
    return 'refused';
  }

  /** Returns whether a transfer to a recipient stays pending. */
  holdsTransfer(recipient: string): boolean {
    return this.#heldAccount !== undefined && recipient.endsWith(this.#heldAccount);
  }

  /** Counts a transfer to a recipient. @returns whether it fails */
  nextTransferFails(recipient: string): boolean {
    for (const [account, remaining] of this.#failTransfers) {
      if (remaining <= 0 || !recipient.endsWith(account)) continue;
      this.#failTransfers.set(account, remaining - 1);
      return true;
    }
    return false;
  }
}

function refusal(gateway: GatewayName): Reply {
  const message = 'Not now';
  if (gateway === 'gateway-c')
    return { status: 400, json: { error: { type: 'invalid_request_error', message } } };
  return { status: 400, json: { status: gateway === 'gateway-a' ? false : 'error', message, data: null } };
}
