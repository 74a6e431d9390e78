import * as z from 'zod';
import { currencies } from '../../core/money.ts';
import { currency } from '../../core/schemas.ts';
import { transferGatewayNames } from '../../payments/gateway.ts';
import { displayNameOf, isConfigured } from '../../payments/payment-methods.ts';
import { sendsCurrency } from '../../payments/transfer-gateways.ts';

export const payoutGatewayView = z
  .object({
    gateway: z.enum(transferGatewayNames),
    name: z.string().meta({ description: 'The name to show to organizers', examples: ['Bank transfer'] }),
    currencies: z.array(currency).meta({ description: 'What it pays out', examples: [['NGN', 'GHS']] }),
  })
  .meta({ id: 'PayoutGateway', description: 'A gateway that `POST /api/payouts` accepts' });

/** Lists the stage's gateways that send payouts. Reads settings only, no secrets. */
export function listPayoutGateways(): z.infer<typeof payoutGatewayView>[] {
  return transferGatewayNames.filter(isConfigured).map((gateway) => ({
    gateway,
    name: displayNameOf(gateway),
    currencies: currencies.filter((currency) => sendsCurrency(gateway, currency)),
  }));
}
