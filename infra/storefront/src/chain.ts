import type { CryptoPayment } from 'boxoffice-client';
import { config } from './config.ts';

/** Payments and tokens on a chain, as people and wallets read them. */

/** Returns the amount due in whole coins, as an exact decimal without trailing zeros. */
export function exactAmount({ amount, decimals }: Pick<CryptoPayment, 'amount' | 'decimals'>): string {
  const digits = amount.padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return digits.slice(0, digits.length - decimals) + (fraction && `.${fraction}`);
}

/** `value` and `data` are hex. */
export interface Transaction {
  to: string;
  value: string;
  data: string;
}

/** The selector of `transfer(address,uint256)`: https://eips.ethereum.org/EIPS/eip-20 */
const transferSelector = '0xa9059cbb';

/**
 * The transaction that pays an order. The chain's own coin goes straight to the recipient, a token by a call of its
 * contract; both carry the order's reference behind everything else.
 */
export function transactionOf({ to, token, amount, data }: CryptoPayment): Transaction {
  const hex = BigInt(amount).toString(16);
  if (token === null) return { to, value: `0x${hex}`, data };
  const words = [to.slice(2).toLowerCase(), hex].map((word) => word.padStart(64, '0'));
  return { to: token, value: '0x0', data: transferSelector + words.join('') + data.slice(2) };
}

/** 0x1234…abcd. Token ids may have 78 digits. */
export function shorten(text: string): string {
  return text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

export function chainName(chainId: number): string {
  return config.chains?.[chainId]?.name ?? `the chain with the id ${chainId}`;
}

/** The address of something in the chain's block explorer; undefined where none is configured. */
export function explorerLink(chainId: number, path: `${'tx' | 'address' | 'nft'}/${string}`) {
  const explorer = config.chains?.[chainId]?.explorer;
  return explorer && `${explorer.replace(/\/$/, '')}/${path}`;
}
