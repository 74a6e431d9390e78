import { unauthenticated } from '../../errors.ts';
import { log } from '../../log.ts';
import { secret } from '../../secrets.ts';
import { readPaid } from '../amount.ts';
import type { PaymentSignal, Signal, WebhookReader } from '../gateway.ts';
import { parseWebhook, plainText } from '../parse-webhook.ts';
import { sameSecret } from '../signature.ts';
import type { TransferSignal } from '../transfer.ts';

/** The header is a fixed secret: it proves who sends, not what is sent. See VERIFY_WITH_GATEWAY. */
export const readGatewayBWebhook: WebhookReader = async (body, header) => {
  const expected = await secret('GATEWAY_B_SECRET_HASH');
  if (!expected) log.error('Webhook refused', new Error('GATEWAY_B_SECRET_HASH is not configured'));
  if (!sameSecret(header('verif-hash') ?? '', expected ?? '')) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  if (event === 'transfer.completed') return transferSignal(data);
  return typeof data?.tx_ref === 'string' ? chargeSignal(event, data) : undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function chargeSignal(event: unknown, data: any): Signal | undefined {
  if (event === 'charge.failed') return paymentSignal('failed', data);
  if (event !== 'charge.completed') return undefined;
  if (data.status === 'successful') return paymentSignal('paid', data);
  return data.status === 'failed' ? paymentSignal('failed', data) : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
export function paymentSignal(kind: PaymentSignal['kind'], data: any): PaymentSignal {
  return {
    kind,
    reference: data.tx_ref,
    transactionId: plainText(data.id),
    ...readPaid('gateway-b', 'major', data.amount, data.currency),
  };
}

/** How a transfer ended; undefined while it did not. */
// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
export function transferSignal(data: any): TransferSignal | undefined {
  if (typeof data?.reference !== 'string') return undefined;
  const told = { reference: data.reference, transactionId: plainText(data.id) };
  if (data.status === 'SUCCESSFUL') return { kind: 'transfer-succeeded', ...told };
  return data.status === 'FAILED' ? { kind: 'transfer-failed', ...told } : undefined;
}
