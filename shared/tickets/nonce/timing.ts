import type { Chain } from '../../chain/chains.ts';
import { outboxDelayMilliseconds } from '../../orders/settlement/settle-order.ts';
import { optionalSetting } from '../../runtime/config.ts';

/** How long after the payment the sweep first finds an order, and the interval at which it does so again. */
export const sweepMilliseconds = outboxDelayMilliseconds;

/**
 * How long a nonce schedules its own checks by delayed messages; after that the sweep does. Never both, since every
 * message of the sweep would add another chain of checks.
 */
export function selfCheckMilliseconds({ finalitySeconds }: Chain): number {
  return Math.max(sweepMilliseconds, 2_000 * finalitySeconds);
}

/**
 * Returns the delay before the next check, in seconds (up to 900, the limit of SQS): the chain's time to finality for a
 * new nonce, then the larger of a quarter of that and half of the nonce's age, and finally the sweep's interval.
 * @param age time since the nonce's first attempt was signed, in milliseconds
 */
export function checkDelaySeconds(chain: Chain, age: number): number {
  if (age > selfCheckMilliseconds(chain)) return sweepMilliseconds / 1000;
  const wait = age === 0 ? chain.finalitySeconds : Math.max(chain.finalitySeconds / 4, age / 2000);
  return Math.min(900, Math.ceil(wait));
}

/** How long an attempt may stay unmined before one with higher fees replaces it. */
export function bumpMilliseconds(): number {
  return Number(optionalSetting('MINT_BUMP_SECONDS') ?? 60) * 1000;
}

/**
 * The grace period before a `consumed` outcome without a mint counts. Nodes that lag report it by mistake; when
 * it is true, the account was used elsewhere, or the table was restored to a time before the nonce was used.
 */
export function consumedGraceMilliseconds(): number {
  return 10 * bumpMilliseconds();
}
