import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isRefusal, messageOf } from '../errors.ts';
import type { Resource } from './use-resource.ts';

/** Shows a resource when it is loaded: until then a loading message, or the error. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children: (value: T) => ComponentChildren }) {
  if (of.state === 'loading') return <Loading />;
  if (of.state === 'failed') {
    return isRefusal(of.error, 404) ? (
      <NotFound error={of.error} />
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

/**
 * The message for a resource that does not exist or that this visitor may not see. Retrying would not help, so the
 * message links to the events.
 */
function NotFound({ error }: { error: unknown }) {
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
        The link may be incomplete, or the page is no longer available. <a href="/">See what is on.</a>
      </p>
    </>
  );
}

/** An error's message, with a retry button when `onRetry` is given. */
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
