import type { Chain } from '../../chain/chains.ts';
import { outboxMilliseconds } from '../../orders/settlement/settle.ts';
import { optional } from '../../runtime/config.ts';

/** How soon after the payment the sweep looks at an order, and then again each time. */
export const sweepMilliseconds = outboxMilliseconds;

/**
 * How long a mint transaction calls for its checks itself, by delayed messages, until the sweep does. Never both,
 * since every message that the sweep adds would go on for ever beside the others.
 */
export function ownMilliseconds({ finalSeconds }: Chain): number {
  return Math.max(sweepMilliseconds, 2_000 * finalSeconds);
}

/**
 * Until the next check of a nonce of this age (milliseconds), in seconds as a queue takes them: at first when it
 * should be final, then soon, later half as long again as it has taken already, and at last once a minute.
 */
export function checkSeconds(chain: Chain, age: number): number {
  if (age > ownMilliseconds(chain)) return sweepMilliseconds / 1000;
  const wait = age === 0 ? chain.finalSeconds : Math.max(chain.finalSeconds / 4, age / 2000);
  return Math.min(900, Math.ceil(wait));
}

/** After how long without being mined a transaction is replaced by one that pays more. */
export function bumpMilliseconds(): number {
  return Number(optional('MINT_BUMP_SECONDS') ?? 60) * 1000;
}

/**
 * For how long a node's word that a nonce was used by somebody else is taken for the error that it mostly is.
 * If it is none, the account was used elsewhere, or the table restored to before the nonce was used.
 */
export function disbeliefMilliseconds(): number {
  return 10 * bumpMilliseconds();
}
