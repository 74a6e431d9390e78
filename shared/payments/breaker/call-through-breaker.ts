import { DomainError } from '../../core/errors.ts';
import { log } from '../../runtime/log.ts';
import { ProviderRefused } from '../provider-call.ts';
import { breakerOpenMilliseconds } from './breaker.ts';
import { claimCall, closeBreaker, countFailure, findBreaker } from './store.ts';

/** The provider's circuit breaker is open, so the provider was not called. */
export class BreakerOpen extends DomainError {
  constructor(provider: string) {
    super(
      'unavailable',
      'unavailable',
      `${provider} is not available at present`,
      breakerOpenMilliseconds / 1000,
    );
  }
}

/**
 * Calls a provider unless its circuit breaker is open. While the breaker is open, one caller every 30 s tries the
 * provider.
 * @throws BreakerOpen when it does not call the provider; otherwise the error of `call`
 */
export async function callThroughBreaker<Result>(
  provider: string,
  call: () => Promise<Result>,
): Promise<Result> {
  // Stored from the first failure until the next answer, whether open or not.
  const breaker = await findBreaker(provider);
  if (breaker && !(await claimCall(breaker, Date.now()))) {
    throw new BreakerOpen(provider);
  }
  try {
    const result = await call();
    if (breaker) await closeBreaker(provider);
    return result;
  } catch (error) {
    if (error instanceof ProviderRefused) {
      if (breaker) await closeBreaker(provider);
    } else if (error instanceof DomainError && error.kind === 'provider-failed') {
      await countFailure(provider, Date.now());
      log.warn('Provider failed', { provider });
    }
    throw error;
  }
}
