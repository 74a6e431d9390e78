import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isRefusal, messageOf } from '../errors.ts';
import type { Resource } from './use-resource.ts';

/** Shows a resource once it is there; until then that it is loading, or why it can't be shown. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children: (value: T) => ComponentChildren }) {
  if (of.state === 'loading') return <Loading />;
  if (of.state === 'failed') {
    return isRefusal(of.error, 404) ? (
      <Missing error={of.error} />
    ) : (
      <Failure error={of.error} onRetry={of.reload} />
    );
  }
  return <>{children(of.value)}</>;
}

export function Loading() {
  return (
    <p class="loading quiet" role="status" aria-busy="true">
      Loading…
    </p>
  );
}

/** Something that does not exist, or not for this visitor: another try would not help, so it leads on. */
function Missing({ error }: { error: unknown }) {
  const message = messageOf(error);
  useEffect(() => {
    document.title = `${message} · Boxoffice`;
  }, [message]);
  return (
    <>
      <div role="alert">
        <p>{message}.</p>
      </div>
      <p>
        The link may be incomplete, or it is no longer available. <a href="/">See what is on.</a>
      </p>
    </>
  );
}

/** The API's error, with a button to try again when a retry is possible. */
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
