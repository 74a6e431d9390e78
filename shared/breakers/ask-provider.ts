import { DomainError } from '../core/errors.ts';
import { ProviderRefused } from '../payments/provider-call.ts';
import { log } from '../runtime/log.ts';
import { openMilliseconds } from './breaker.ts';
import { closeBreaker, countFailure, findBreaker, takeTurn } from './store.ts';

/** The provider failed several times in a row, and is not called at present. */
export class LeftAlone extends DomainError {
  constructor(provider: string) {
    super('unavailable', 'unavailable', `${provider} is not asked at present`, openMilliseconds / 1000);
  }
}

/**
 * Calls a provider unless it failed several times in a row; then one caller in 30 s tries it.
 * @throws LeftAlone without a call; what `call` throws
 */
export async function askProvider<Result>(provider: string, call: () => Promise<Result>): Promise<Result> {
  const breaker = await findBreaker(provider);
  if (breaker && !(await takeTurn(breaker, Date.now()))) {
    throw new LeftAlone(provider);
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
