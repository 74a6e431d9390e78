import { webhook } from '../../shared/http/webhook.ts';
import { takePayment } from '../../shared/orders/take-payment.ts';
import { gatewayC } from '../../shared/payments/gateway-c/gateway.ts';
import { readGatewayCWebhook } from '../../shared/payments/gateway-c/webhook.ts';

export const handler = webhook('gateway-c', readGatewayCWebhook, {
  payment: (signal) => takePayment(gatewayC, signal),
});
