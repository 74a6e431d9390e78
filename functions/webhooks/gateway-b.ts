import { webhook } from '../../shared/http/webhook.ts';
import { takePayment } from '../../shared/orders/take-payment.ts';
import { gatewayB } from '../../shared/payments/gateway-b/gateway.ts';
import { readGatewayBWebhook } from '../../shared/payments/gateway-b/webhook.ts';

export const handler = webhook('gateway-b', readGatewayBWebhook, {
  payment: (signal) => takePayment(gatewayB, signal),
});
