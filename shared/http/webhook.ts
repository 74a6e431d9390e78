import { DomainError, type ErrorCode } from '../core/errors.ts';
import type { GatewayName, PaymentSignal } from '../payments/gateway.ts';
import type { TransferSignal } from '../payments/transfer.ts';
import type { Signal, WebhookReader } from '../payments/webhook.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';
import { bodyBytes } from './body.ts';
import { describe, type JsonSchema, okSchema } from './contract.ts';
import { httpChain, jsonResponse } from './middleware.ts';

/** What a gateway sends, and how it proves to be the gateway. */
interface WebhookContract {
  gateway: GatewayName;
  signatureHeader: string;
  body: JsonSchema;
  errors: readonly ErrorCode[];
}

/** Who takes what a webhook may tell of. */
interface Takers {
  payment(signal: PaymentSignal): Promise<void>;
  transfer?(signal: TransferSignal): Promise<void>;
}

/**
 * A Lambda handler for a gateway's webhook: the exact bytes are verified first, then what they mean is taken.
 * Whatever we could not do answers 500, so that the gateway delivers again; what is genuine but means nothing
 * to us is acknowledged and counted.
 */
export function webhook({ gateway, ...sent }: WebhookContract, read: WebhookReader, takers: Takers) {
  const handler = httpChain(async (event) => {
    const signal = await read(bodyBytes(event), (name) => event.headers[name]);
    const taken = signal && take(signal, takers);
    if (!taken) {
      log.info('Webhook without meaning for us', { gateway });
      count('WebhooksUnknown');
    }
    await taken?.catch(deliverAgain);
    return jsonResponse(200, { ok: true });
  });
  return describe(handler, {
    summary: `What ${gateway} has to tell about payments`,
    caller: 'gateway',
    who: gateway,
    response: okSchema,
    ...sent,
  });
}

function take(signal: Signal, takers: Takers): Promise<void> | undefined {
  return isPayment(signal) ? takers.payment(signal) : takers.transfer?.(signal);
}

function isPayment(signal: Signal): signal is PaymentSignal {
  return signal.kind === 'paid' || signal.kind === 'failed';
}

/** A refusal meant for a person (busy, not found) would end the gateway's tries: only a 500 keeps them going. */
function deliverAgain(error: unknown): never {
  throw error instanceof DomainError ? new Error(`Webhook not taken: ${error.code}`) : error;
}
