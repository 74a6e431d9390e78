import type { Currency, PaymentMethod } from 'boxoffice-client';
import { chainName } from '../chain.ts';
import { config } from '../config.ts';
import { t } from '../texts/shop.ts';
import { language } from '../texts/texts.ts';

/** Returns the name of a way to pay for an event in the page's language. */
export function methodName(
  { gateway, name }: PaymentMethod,
  { currency, chainId }: { currency: Currency; chainId: number },
): string {
  return gateway
    ? (config.paymentNames?.[language]?.[gateway] ?? name)
    : t('values.onChain', { currency, chain: chainName(chainId) });
}
