import { webhook } from '../../shared/http/webhook.ts';
import { takeSignal } from '../../shared/orders/take-signal.ts';
import { readGatewayBWebhook } from '../../shared/payments/gateway-b.ts';

export const handler = webhook('gateway-b', readGatewayBWebhook, (signal) => takeSignal('gateway-b', signal));
