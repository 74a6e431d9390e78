import type { Chain } from '../chain/chains.ts';
import { send } from '../queue.ts';
import type { NonceReference } from './mint-transaction.ts';
import { checkSeconds } from './patience.ts';

/** How long after its mint is final a transaction is looked at once more, in case the chain took it back. */
const lastLookSeconds = 900;

/** Calls for the next check of a nonce of this age (milliseconds). @throws when the queue does not take the message */
export function scheduleCheck(
  chain: Chain,
  { chainId, signer, nonce }: NonceReference,
  age: number,
): Promise<void> {
  return send('mint', { chainId, signer, nonce }, checkSeconds(chain, age));
}

export function scheduleLastLook({ chainId, signer, nonce }: NonceReference): Promise<void> {
  return send('mint', { chainId, signer, nonce }, lastLookSeconds);
}
