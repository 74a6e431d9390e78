import { DomainError } from '../errors.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import type { GatewayName, Signal, WebhookReader } from '../payments/gateway.ts';
import { bodyBytes } from './body.ts';
import { httpChain, jsonResponse } from './chain.ts';

/**
 * A Lambda handler for a gateway's webhook: the exact bytes are verified first, then `take` gets what they
 * mean. Whatever we could not do answers 500, so that the gateway delivers again; what is genuine but means
 * nothing to us is acknowledged and counted.
 */
export function webhook(gateway: GatewayName, read: WebhookReader, take: (signal: Signal) => Promise<void>) {
  return httpChain(async (event) => {
    const signal = await read(bodyBytes(event), (name) => event.headers[name]);
    if (!signal) {
      log.info('Webhook without meaning for us', { gateway });
      count('WebhooksUnknown');
    } else {
      await take(signal).catch(deliverAgain);
    }
    return jsonResponse(200, { ok: true });
  });
}

/** A refusal meant for a person (busy, not found) would end the gateway's tries: only a 500 keeps them going. */
function deliverAgain(error: unknown): never {
  throw error instanceof DomainError ? new Error(`Webhook not taken: ${error.code}`) : error;
}
