import type { CryptoPayment } from 'boxoffice-client';
import { config } from './config.ts';
import { tryStorage } from './storage.ts';
import { t } from './texts/shop.ts';

/** Payments and tokens on a chain, formatted for people and wallets. */

/** Returns the amount due in whole coins, as an exact decimal without trailing zeros. */
export function exactAmount({ amount, decimals }: Pick<CryptoPayment, 'amount' | 'decimals'>): string {
  const digits = amount.padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return digits.slice(0, digits.length - decimals) + (fraction && `.${fraction}`);
}

/** A transaction as wallets expect it: `value` and `data` are hexadecimal. */
export interface Transaction {
  to: string;
  value: string;
  data: string;
}

/** The selector of `transfer(address,uint256)`: https://eips.ethereum.org/EIPS/eip-20 */
const transferSelector = '0xa9059cbb';

/**
 * Returns the transaction that pays an order: a transfer of the chain's own coin, or a call of the token contract's
 * `transfer`. In both, the data ends with the order's reference.
 */
export function toTransaction({ to, token, amount, data }: CryptoPayment): Transaction {
  const hex = BigInt(amount).toString(16);
  if (token === null) return { to, value: `0x${hex}`, data };
  const words = [to.slice(2).toLowerCase(), hex].map((word) => word.padStart(64, '0'));
  return { to: token, value: '0x0', data: transferSelector + words.join('') + data.slice(2) };
}

/** Shortens a hash, an address or a token id to the form 0x1234…abcd. */
export function shorten(text: string): string {
  return text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

export function chainName(chainId: number): string {
  return config.chains?.[chainId]?.name ?? t('values.chain', { id: chainId });
}

/** Returns the link to a page of the chain's block explorer; undefined when no explorer is configured. */
export function explorerLink(chainId: number, path: `${'tx' | 'address' | 'nft'}/${string}`) {
  const explorer = config.chains?.[chainId]?.explorer;
  return explorer && `${explorer.replace(/\/$/, '')}/${path}`;
}

/**
 * The hash of the transaction that was sent for an order in this browser. It is stored until the API has settled or
 * refused the transaction, so that a reload does not lose it. When storing fails, only the open page has the hash.
 */
export const sentTransactions = {
  find: (orderId: string) => tryStorage(() => localStorage.getItem(storageKey(orderId))) ?? undefined,
  store: (orderId: string, hash: string) => tryStorage(() => localStorage.setItem(storageKey(orderId), hash)),
  remove: (orderId: string) => tryStorage(() => localStorage.removeItem(storageKey(orderId))),
};

const storageKey = (orderId: string) => `boxoffice.payment.${orderId}`;
