import { webhook } from '../../shared/http/webhook.ts';
import { takeSignal } from '../../shared/orders/take-signal.ts';
import { readGatewayAWebhook } from '../../shared/payments/gateway-a.ts';

export const handler = webhook('gateway-a', readGatewayAWebhook, (signal) => takeSignal('gateway-a', signal));
