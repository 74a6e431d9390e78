import type { GatewayName } from './payments.ts';
import type { Handler, Reply } from './router.ts';

/**
 * How a provider misbehaves: `error` answers 500, `refuse` 400 in its own form, `hang` never answers, `lose` does
 * the work but the answer is lost on the way.
 */
type Mode = 'error' | 'refuse' | 'hang' | 'lose';

export interface FaultOrder {
  gateway?: GatewayName;
  mode?: Mode;
  /** How many calls it lasts; default 1. */
  times?: number;
  /** How many of the next transfers to `account` fail; to any account when none is named. */
  failTransfers?: number;
  account?: string;
  /** Whether transfers stay pending until `POST /control/transfers/…` ends them. */
  holdTransfers?: boolean;
}

/** Misbehaviour on demand, for tests. Kept in memory: a new start is sane again. */
export class Faults {
  readonly #calls = new Map<GatewayName, { mode: Mode; left: number }>();
  /** How many transfers are going to fail, by the end of their recipient's name. */
  readonly #failTransfers = new Map<string, number>();
  holdTransfers = false;

  order({ gateway, mode, times = 1, failTransfers, account = '', holdTransfers }: FaultOrder): void {
    if (gateway && mode) this.#calls.set(gateway, { mode, left: times });
    if (failTransfers !== undefined) this.#failTransfers.set(account, failTransfers);
    this.holdTransfers = holdTransfers ?? this.holdTransfers;
  }

  clear(): void {
    this.#calls.clear();
    this.#failTransfers.clear();
    this.holdTransfers = false;
  }

  /** A call of the provider's API, which may go wrong. */
  guard(gateway: GatewayName, handler: Handler): Handler {
    return async (call) => {
      const fault = this.#calls.get(gateway);
      if (!fault || fault.left <= 0) return handler(call);
      fault.left--;
      if (fault.mode === 'error') return { status: 500, json: { message: 'Internal error' } };
      if (fault.mode === 'refuse') return refusal(gateway);
      if (fault.mode === 'hang') return new Promise<Reply>(() => {});
      await handler(call);
      return { lost: true };
    };
  }

  /** Whether the next transfer to a recipient is one that fails. */
  nextTransferFails(recipient: string): boolean {
    for (const [account, left] of this.#failTransfers) {
      if (left <= 0 || !recipient.endsWith(account)) continue;
      this.#failTransfers.set(account, left - 1);
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
