import { DomainError, type ErrorCode } from '../core/errors.ts';
import type { GatewayName } from '../core/names.ts';
import { type JsonSchema, okSchema } from '../http/contract.ts';
import { http, jsonResponse, readRawBody } from '../http/middleware.ts';
import { define, type Resources, type Route } from '../runtime/function.ts';
import { incrementCounter, log } from '../runtime/telemetry.ts';
import type { PaymentSignal, ReturnSignal, Signal, TransferSignal, WebhookReader } from './gateway.ts';

/** The contract of a gateway's webhook. */
interface WebhookContract extends Resources {
  route: Route;
  gateway: GatewayName;
  signatureHeader: string;
  body: JsonSchema;
  errors: readonly ErrorCode[];
}

/** A handler for each kind of webhook event. */
interface Handlers {
  payment(signal: PaymentSignal): Promise<void>;
  returnedPayment(signal: ReturnSignal): Promise<void>;
  transfer?(signal: TransferSignal): Promise<void>;
}

/**
 * Makes a Lambda handler for a gateway's webhook. `readSignal` verifies the signature of the exact bytes before it
 * parses them. The response is 500 when an event could not be processed, so the gateway redelivers it. An
 * authentic event of an unknown kind is acknowledged and counted.
 */
export function webhook(
  { gateway, ...contractFields }: WebhookContract,
  readSignal: WebhookReader,
  handlers: Handlers,
) {
  const handler = http()
    .use(readRawBody())
    .handler(async (event) => {
      const signal = await readSignal(event.rawBody, (name) => event.headers[name]);
      const processing = signal && handleSignal(signal, handlers);
      if (!processing) {
        log.info('Webhook event ignored', { gateway });
        incrementCounter('WebhooksUnknown');
      }
      await processing?.catch(requestRedelivery);
      return jsonResponse(200, { ok: true });
    });
  const contract = {
    summary: `Receive ${gateway} payment events`,
    caller: 'gateway' as const,
    callerDescription: gateway,
    response: okSchema,
    ...contractFields,
  };
  return define(contract, handler);
}

function handleSignal(signal: Signal, handlers: Handlers): Promise<void> | undefined {
  switch (signal.kind) {
    case 'paid':
    case 'failed':
      return handlers.payment(signal);
    case 'returned':
      return handlers.returnedPayment(signal);
    default:
      return handlers.transfer?.(signal);
  }
}

/** Converts an error to a 500: gateways redeliver after a 500 but not after most 4xx responses. */
function requestRedelivery(error: unknown): never {
  throw error instanceof DomainError ? new Error(`Webhook not processed: ${error.code}`) : error;
}
