import type { ComponentChildren } from 'preact';
import { messageOf } from '../errors.ts';
import type { Resource } from './use-resource.ts';

/** Shows a resource once it is there; until then that it is loading, or why it can't be shown. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children: (value: T) => ComponentChildren }) {
  if (of.state === 'loading') return <Loading />;
  if (of.state === 'failed') return <Failure error={of.error} onRetry={of.reload} />;
  return <>{children(of.value)}</>;
}

export function Loading() {
  return (
    <p class="loading quiet" role="status" aria-busy="true">
      Loading…
    </p>
  );
}

/** What went wrong, in the API's sentence, with a way to try again where there is one. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  return (
    <div role="alert">
      <p>{messageOf(error)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
