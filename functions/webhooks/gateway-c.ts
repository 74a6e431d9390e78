import { webhook } from '../../shared/http/webhook.ts';
import { takePayment } from '../../shared/orders/take-payment.ts';
import { gatewayC } from '../../shared/payments/gateway-c/gateway.ts';
import { readGatewayCWebhook } from '../../shared/payments/gateway-c/webhook.ts';
import { webhookBody } from '../../shared/payments/gateway-c/webhook-body.ts';

const contract = {
  gateway: 'gateway-c',
  signatureHeader: 'stripe-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
} as const;

export const handler = webhook(contract, readGatewayCWebhook, {
  payment: (signal) => takePayment(gatewayC, signal),
});
