import * as z from 'zod';
import { findPaymentToken, getChain, isPaymentChain } from '../chain/chains.ts';
import type { Currency } from '../core/money.ts';
import { type GatewayName, gatewayNames } from '../core/schemas.ts';
import { optionalSetting } from '../runtime/config.ts';
import type { SettingName } from '../runtime/settings.ts';
import { addressSettings, isConfigured, supportsAmount } from './provider.ts';

const gatewaySettings = {
  'gateway-a': { name: 'GATEWAY_A_NAME', fallbackName: 'Online payment A' },
  'gateway-b': { name: 'GATEWAY_B_NAME', fallbackName: 'Online payment B' },
  'gateway-c': { name: 'GATEWAY_C_NAME', fallbackName: 'Online payment C' },
} as const satisfies Record<GatewayName, object>;

/** The settings that determine the ways to pay. */
export const paymentMethodSettings: SettingName[] = [
  ...Object.values(addressSettings),
  ...Object.values(gatewaySettings).map(({ name }) => name),
  'TREASURY_ADDRESS',
  'CHAIN_TOKENS',
  'PAYMENT_CHAINS',
];

/**
 * Lists the ways to pay in a currency: the configured gateways that accept it, and the event's chain if it has that
 * coin or token. Reads settings only, neither secrets nor the table, so public pages stay cheap under load. For
 * the same reason it ignores circuit breakers.
 * @param amount the total in minor units, if it is known; for 0 the list is empty
 */
export function listPaymentMethods(
  { currency, chainId }: { currency: Currency; chainId: number },
  amount?: bigint,
): PaymentMethodView[] {
  if (amount === 0n) return [];
  const gateways = gatewayNames
    .filter((gateway) => isConfigured(gateway) && supportsAmount(gateway, currency, amount))
    .map((gateway) => ({ paymentMethod: 'FIAT' as const, gateway, name: displayNameOf(gateway) }));
  return acceptsOnChain(chainId, currency)
    ? [
        ...gateways,
        { paymentMethod: 'CRYPTO', gateway: null, name: `${currency} on ${getChain(chainId).name}` },
      ]
    : gateways;
}

/** Returns what an organizer has to know about the ways to pay for an event. */
export function paymentWarnings(event: {
  currency: Currency;
  chainId: number;
  tiers: readonly { price: number }[];
}): string[] {
  const isFree = event.tiers.every(({ price }) => price === 0);
  if (isFree || listPaymentMethods(event).length > 0) return [];
  return [`No way to pay accepts ${event.currency} at the moment, so nobody can buy these tickets`];
}

/** Returns the name of a gateway that people see: the stage's, or a neutral one. */
export function displayNameOf(gateway: GatewayName): string {
  return optionalSetting(gatewaySettings[gateway].name) ?? gatewaySettings[gateway].fallbackName;
}

function acceptsOnChain(chainId: number, currency: Currency): boolean {
  return (
    optionalSetting('TREASURY_ADDRESS') !== undefined &&
    isPaymentChain(chainId) &&
    findPaymentToken(chainId, currency) !== undefined
  );
}

export const paymentMethodView = z
  .object({
    paymentMethod: z.enum(['CRYPTO', 'FIAT']),
    gateway: z.enum(gatewayNames).nullable().meta({ description: 'Null for CRYPTO' }),
    name: z.string().meta({ description: 'The name to show to buyers', examples: ['Card'] }),
  })
  .meta({
    id: 'PaymentMethod',
    description:
      'A way to pay. `POST /api/orders/initialize` accepts these values of `paymentMethod` and `gateway`',
  });
export type PaymentMethodView = z.infer<typeof paymentMethodView>;
