import { DomainError, unavailable } from '../core/errors.ts';
import { log } from '../runtime/log.ts';
import { closeBreaker, countFailure, findBreaker, takeTurn } from './store.ts';

/**
 * Calls a provider unless it failed several times in a row; then one caller in 30 s tries it.
 * @throws DomainError `unavailable` without a call while the provider is left alone; what `call` throws
 */
export async function askProvider<Result>(provider: string, call: () => Promise<Result>): Promise<Result> {
  const breaker = await findBreaker(provider);
  if (breaker && !(await takeTurn(breaker, Date.now()))) {
    throw unavailable(`${provider} is not asked at present`, 30);
  }
  try {
    const result = await call();
    if (breaker) await closeBreaker(provider);
    return result;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'provider-failed') {
      await countFailure(provider, Date.now());
      log.warn('Provider failed', { provider });
    }
    throw error;
  }
}
