import type { Chain } from '../../chain/chains.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';

/** How long after the payment the sweep first queues an order, and the interval until it queues the order again. */
export const sweepMilliseconds = outboxDelayMilliseconds;

/**
 * Returns the period after a nonce's first attempt in which each check schedules the next one, by a delayed message.
 * After the period, the sweep schedules the checks of mints. The two must not overlap: each message of the sweep would
 * start another series of checks.
 */
export function selfCheckPeriodMilliseconds({ finalitySeconds }: Chain): number {
  return Math.max(sweepMilliseconds, 2_000 * finalitySeconds);
}

/**
 * Returns the delay before the next check, in seconds (up to 900, the limit of SQS). For a new nonce, it is the chain's
 * time to finality. Then it is a quarter of that time or half of the nonce's age, whichever is longer. After the period
 * of self-checks, it is the sweep's interval.
 * @param ageMilliseconds the time since the nonce's first attempt was signed, in milliseconds
 */
export function checkDelaySeconds(chain: Chain, ageMilliseconds: number): number {
  if (ageMilliseconds > selfCheckPeriodMilliseconds(chain)) return sweepMilliseconds / 1000;
  const waitSeconds =
    ageMilliseconds === 0
      ? chain.finalitySeconds
      : Math.max(chain.finalitySeconds / 4, ageMilliseconds / 2000);
  return Math.min(900, Math.ceil(waitSeconds));
}

/** How long an attempt may stay unmined before an attempt with higher fees replaces it. */
export function bumpMilliseconds(): number {
  return Number(optionalSetting('MINT_BUMP_SECONDS') ?? 60) * 1000;
}

/**
 * The grace period before a `consumed` outcome (another transaction used the nonce) without a mint is applied, since a
 * node that lags can report it by mistake. It is correct when other software used the nonce, or when this service used
 * it before its table was restored.
 */
export function consumedGraceMilliseconds(): number {
  return 10 * bumpMilliseconds();
}
