import type { Currency } from '../../core/money.ts';
import { providerRefused } from '../provider-call.ts';
import { callGatewayB } from './gateway.ts';

/** Reads the banks of a country: https://developer.flutterwave.com/v3.0/reference/get-all-banks */
export async function listBanksB(_currency: Currency, country: string) {
  const { ok, status, body } = await callGatewayB('GET', `/banks/${encodeURIComponent(country)}`);
  if (status === 404 || status === 400) return [];
  if (!ok || !Array.isArray(body.data)) throw providerRefused(`banks: ${status}`);
  return body.data.map(({ name, code }: { name: string; code: string }) => ({ name, code }));
}
