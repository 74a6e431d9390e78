import type { CryptoPayment } from 'boxoffice-client';
import { chainName } from '../chain.ts';
import { t } from '../texts/orders.ts';

/**
 * Messages by the error codes of wallets: EIP-1193 (https://eips.ethereum.org/EIPS/eip-1193#provider-errors), EIP-3326
 * for an unknown chain (4902), and EIP-1474 for a request that is already open (-32002).
 */
const walletProblems: Record<number, (payment: CryptoPayment) => string> = {
  4001: () => t('walletProblems.declined'),
  4100: () => t('walletProblems.notAllowed'),
  4200: () => t('walletProblems.unsupported'),
  4900: () => t('walletProblems.disconnected'),
  4901: ({ chainId }) => t('walletProblems.otherChain', { chain: chainName(chainId) }),
  4902: ({ chainId }) => t('walletProblems.unknownChain', { chain: chainName(chainId) }),
  [-32002]: () => t('walletProblems.busy'),
};

/**
 * Returns the message for a wallet's error during a payment. After an error that `walletProblems` does not list, the
 * wallet may have sent the payment.
 */
export function walletProblem(error: unknown, payment: CryptoPayment): string {
  const { code } = (error ?? {}) as { code?: number };
  const problem = code === undefined ? undefined : walletProblems[code];
  return problem?.(payment) ?? t('walletProblems.other');
}
