import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isRefusal, messageOf } from '../errors.ts';
import type { Resource } from './use-resource.ts';

/** Shows a loaded resource. Until then shows a loading message, or the error when loading fails. */
export function Loaded<T>({
  of: resource,
  children,
}: {
  of: Resource<T>;
  children: (value: T) => ComponentChildren;
}) {
  if (resource.state === 'loading') return <Loading />;
  if (resource.state === 'failed') {
    return isRefusal(resource.error, 404) ? (
      <NotFound error={resource.error} />
    ) : (
      <Failure error={resource.error} onRetry={resource.reload} />
    );
  }
  return <>{children(resource.value)}</>;
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
