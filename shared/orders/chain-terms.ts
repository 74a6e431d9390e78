import { knownChain } from '../chain/chains.ts';
import { connect } from '../chain/connection.ts';
import { tokenContract } from '../chain/tokens.ts';
import { optional } from '../env.ts';
import { DomainError, invalid } from '../errors.ts';
import type { Currency } from '../money.ts';
import type { ChainTerms } from './order.ts';

/**
 * How a currency is paid on a chain.
 * @throws DomainError 400 when it is neither the chain's own coin nor a token we take there, 503 when the wallet
 * for payments or the chain's endpoints are not configured
 */
export async function paymentTerms(chainId: number, currency: Currency): Promise<ChainTerms> {
  const token = knownChain(chainId)?.symbol === currency ? null : tokenContract(chainId, currency);
  if (token === undefined) {
    throw invalid(`${currency} can't be paid on chain ${chainId}`, 'currency-not-supported');
  }
  const to = optional('TREASURY_ADDRESS');
  if (!to || !(await connect(chainId))) {
    throw new DomainError('unavailable', 'crypto-not-configured', `Chain ${chainId} is not available`);
  }
  return { chainId, to, token };
}
