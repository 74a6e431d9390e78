import type { Currency } from '../../core/money.ts';
import { providerRefused, providerTimeoutMilliseconds } from '../provider-call.ts';
import { callGatewayA } from './gateway.ts';

/**
 * Reads all pages of the banks, within the timeout of one call. The currency selects the country, since each of the
 * provider's currencies belongs to one country: https://paystack.com/docs/api/miscellaneous
 */
export async function listBanksA(currency: Currency) {
  const deadline = Date.now() + providerTimeoutMilliseconds;
  const banks: ProviderBank[] = [];
  let nextPage: string | null | undefined;
  do {
    const query = new URLSearchParams({
      currency,
      use_cursor: 'true',
      perPage: '100',
      ...(nextPage && { next: nextPage }),
    });
    const timeoutMilliseconds = Math.max(deadline - Date.now(), 1);
    const { ok, status, body } = await callGatewayA('GET', `/bank?${query}`, { timeoutMilliseconds });
    if (!ok || !Array.isArray(body.data)) throw providerRefused(`banks: ${status}`);
    banks.push(...body.data);
    nextPage = body.meta?.next;
  } while (nextPage);
  // Mobile money needs recipients of another type than bank accounts.
  return banks
    .filter(({ active, type }) => active !== false && !type?.startsWith('mobile_money'))
    .map(({ name, code }) => ({ name, code }));
}

interface ProviderBank {
  name: string;
  code: string;
  active?: boolean;
  /** Such as `nuban`, `ghipss`, `mobile_money`. */
  type?: string;
}
