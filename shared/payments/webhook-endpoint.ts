import { DomainError, type ErrorCode, TableUnavailable } from '../core/errors.ts';
import type { GatewayName } from '../core/schemas.ts';
import type { JsonSchema } from '../http/contract.ts';
import { http, jsonResponse, okSchema, readRawBody } from '../http/middleware.ts';
import { define, type Resources, type Route } from '../runtime/function.ts';
import { sendMessage } from '../runtime/queue.ts';
import { incrementCounter, log } from '../runtime/telemetry.ts';
import type { PaymentSignal, Signal, WebhookReader } from './gateway.ts';

/** The contract of a gateway's webhook. */
interface WebhookContract extends Resources {
  route: Route;
  gateway: GatewayName;
  signatureHeader: string;
  body: JsonSchema;
  errors: readonly ErrorCode[];
}

/**
 * Makes a Lambda handler for a gateway's webhook. `readSignal` verifies the signature of the exact bytes before it
 * parses them. `receivePayment` processes a payment before the response; the worker `send-money` processes returned
 * payments and transfers. The response is 500 when an event could not be processed or queued, so the gateway
 * redelivers it. An authentic event of an unknown kind is acknowledged and counted.
 */
export function webhook(
  { gateway, ...contractFields }: WebhookContract,
  readSignal: WebhookReader,
  receivePayment: (signal: PaymentSignal) => Promise<void>,
) {
  function processSignal(signal: Signal): Promise<void> {
    switch (signal.kind) {
      case 'paid':
      case 'failed':
      case 'declined':
        return receivePayment(signal);
      case 'returned': {
        const { kind: _, ...returnedPayment } = signal;
        return sendMessage('send-money', { type: 'receive-return', returnedAt: gateway, ...returnedPayment });
      }
      default:
        return sendMessage('send-money', { type: 'settle-payout', sentBy: gateway, ...signal });
    }
  }
  const handler = http()
    .use(readRawBody())
    .handler(async (event) => {
      const signal = await readSignal(event.rawBody, (name) => event.headers[name]).catch(refuse);
      if (signal) await processSignal(signal).catch(requestRedelivery);
      else {
        log.info('Webhook event ignored', { gateway });
        incrementCounter('WebhooksUnknown');
      }
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

/** Refuses a webhook, unless its secret could not be read: then the gateway has to redeliver it. */
function refuse(error: unknown): never {
  if (error instanceof DomainError && error.kind === 'unavailable') requestRedelivery(error);
  throw error;
}

/** Converts an error to a 500: gateways redeliver after a 500 but not after most 4xx responses. */
function requestRedelivery(error: unknown): never {
  if (error instanceof DomainError) throw new Error(`Webhook not processed: ${error.code}`);
  if (error instanceof TableUnavailable) throw new Error('Webhook not processed', { cause: error.cause });
  throw error;
}
