import { webhook } from '../../shared/http/webhook.ts';
import { takePayment } from '../../shared/orders/take-payment.ts';
import { gatewayA } from '../../shared/payments/gateway-a/gateway.ts';
import { transfersA } from '../../shared/payments/gateway-a/transfers.ts';
import { readGatewayAWebhook } from '../../shared/payments/gateway-a/webhook.ts';
import { settlePayout } from '../../shared/payouts/settle-payout.ts';

export const handler = webhook('gateway-a', readGatewayAWebhook, {
  payment: (signal) => takePayment(gatewayA, signal),
  transfer: (signal) => settlePayout(transfersA, signal),
});
