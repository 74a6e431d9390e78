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
  /** How many of the next transfers fail. */
  failTransfers?: number;
  /** Whether transfers stay pending until `POST /control/transfers/…` ends them. */
  holdTransfers?: boolean;
}

/** Misbehaviour on demand, for tests. Kept in memory: a new start is sane again. */
export class Faults {
  readonly #calls = new Map<GatewayName, { mode: Mode; left: number }>();
  #failTransfers = 0;
  holdTransfers = false;

  order({ gateway, mode, times = 1, failTransfers, holdTransfers }: FaultOrder): void {
    if (gateway && mode) this.#calls.set(gateway, { mode, left: times });
    this.#failTransfers = failTransfers ?? this.#failTransfers;
    this.holdTransfers = holdTransfers ?? this.holdTransfers;
  }

  clear(): void {
    this.#calls.clear();
    this.#failTransfers = 0;
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

  /** Whether the next transfer is one that fails. */
  nextTransferFails(): boolean {
    return this.#failTransfers > 0 && this.#failTransfers-- > 0;
  }
}

function refusal(gateway: GatewayName): Reply {
  const message = 'Not now';
  if (gateway === 'gateway-c')
    return { status: 400, json: { error: { type: 'invalid_request_error', message } } };
  return { status: 400, json: { status: gateway === 'gateway-a' ? false : 'error', message, data: null } };
}
