import { findPaymentToken, getChain } from '../chain/chains.ts';
import type { Currency } from '../core/money.ts';
import { optionalSetting } from '../runtime/config.ts';
import { supportsAmount } from './amounts.ts';
import { type GatewayName, gatewayNames } from './gateway.ts';
import type { PaymentMethodView } from './payment-method-view.ts';

const settings = {
  'gateway-a': { url: 'GATEWAY_A_URL', name: 'GATEWAY_A_NAME', fallbackName: 'Online payment A' },
  'gateway-b': { url: 'GATEWAY_B_URL', name: 'GATEWAY_B_NAME', fallbackName: 'Online payment B' },
  'gateway-c': { url: 'GATEWAY_C_URL', name: 'GATEWAY_C_NAME', fallbackName: 'Online payment C' },
} as const satisfies Record<GatewayName, object>;

/**
 * Lists the ways to pay in a currency: the configured gateways that accept it, and the event's chain where it has that
 * coin or token. It reads settings alone, no secrets and no table, so that the public pages of a rush cost nothing
 * more. For the same reason it ignores circuit breakers: those count the workers' calls, and a buyer's own attempt is
 * what finds out that a provider is back.
 * @param amount the total in minor units, where it is known; nothing is to pay for 0
 */
export function listPaymentMethods(
  { currency, chainId }: { currency: Currency; chainId: number },
  amount?: bigint,
): PaymentMethodView[] {
  if (amount === 0n) return [];
  const gateways = gatewayNames
    .filter((gateway) => optionalSetting(settings[gateway].url) && supportsAmount(gateway, currency, amount))
    .map((gateway) => ({
      paymentMethod: 'FIAT' as const,
      gateway,
      name: optionalSetting(settings[gateway].name) ?? settings[gateway].fallbackName,
    }));
  return takesOnChain(chainId, currency)
    ? [
        ...gateways,
        { paymentMethod: 'CRYPTO', gateway: null, name: `${currency} on ${getChain(chainId).name}` },
      ]
    : gateways;
}

function takesOnChain(chainId: number, currency: Currency): boolean {
  const chains = (optionalSetting('PAYMENT_CHAINS') ?? '').split(',').map((id) => id.trim());
  return (
    optionalSetting('TREASURY_ADDRESS') !== undefined &&
    chains.includes(`${chainId}`) &&
    findPaymentToken(chainId, currency) !== undefined
  );
}
