import type { ComponentChildren } from 'preact';
import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isRefusal, messageOf } from '../errors.ts';
import { t } from '../texts/shop.ts';
import { setTitle } from './page.tsx';

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
      {t('page.loading')}
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
    setTitle(message);
  }, [message]);
  return (
    <>
      <div role="alert">
        <p>{message}.</p>
      </div>
      <p>
        {t('page.missing')} <a href="/">{t('page.seeEvents')}</a>
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
          {t('page.again')}
        </button>
      )}
    </div>
  );
}

/** A resource and its loading state. */
export type Resource<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; reload: () => Promise<void> }
  /** With an error, the value is that of an earlier load: the latest one failed. */
  | { state: 'ready'; value: T; error?: unknown; reload: () => Promise<void> };

/**
 * Loads a resource when a component is first shown and whenever one of `inputs` changes. `reload` keeps the current
 * value until a new one arrives. Answers to earlier loads are ignored.
 */
export function useResource<T>(load: () => Promise<T>, inputs: Inputs): Resource<T> {
  const [resource, setResource] = useState<Resource<T>>({ state: 'loading' });
  const latestLoad = useRef(0);
  const reload = useCallback(async () => {
    const thisLoad = ++latestLoad.current;
    const next = await load().then(
      (value): Resource<T> => ({ state: 'ready', value, reload }),
      (error): Resource<T> => ({ state: 'failed', error, reload }),
    );
    if (thisLoad !== latestLoad.current) return;
    setResource((current) =>
      current.state === 'ready' && next.state === 'failed' ? { ...current, error: next.error } : next,
    );
  }, inputs);
  useEffect(() => {
    setResource({ state: 'loading' });
    void reload();
    return () => {
      latestLoad.current++;
    };
  }, [reload]);
  return resource;
}

interface PagedListProps<Page extends { nextCursor: string | null }, Item> {
  /** Requests a page: without a cursor, the first one. */
  load: (cursor?: string) => Promise<Page>;
  items: (page: Page) => Item[];
  /** When one of these values changes, the list is loaded again from its first page. */
  inputs?: unknown[];
  /** Shown when the list has no items. Without it, nothing is shown for such a list, nor while it is loading. */
  empty?: ComponentChildren;
  children: (items: Item[]) => ComponentChildren;
}

/** A paged list, with a button that loads the next page. */
export function PagedList<Page extends { nextCursor: string | null }, Item>(
  props: PagedListProps<Page, Item>,
) {
  const first = useResource(() => props.load(), props.inputs ?? []);
  if (first.state === 'loading' && !props.empty) return null;
  return <Loaded of={first}>{(page) => <Pages {...props} first={page} />}</Loaded>;
}

function Pages<Page extends { nextCursor: string | null }, Item>({
  first,
  load,
  items,
  empty,
  children,
}: PagedListProps<Page, Item> & { first: Page }) {
  const [nextPages, setNextPages] = useState<Page[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const pages = [first, ...nextPages];
  const { nextCursor } = pages.at(-1) as Page;

  const loadMore = async (cursor: string) => {
    setBusy(true);
    setError(undefined);
    try {
      const next = await load(cursor);
      setNextPages([...nextPages, next]);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };

  const allItems = pages.flatMap(items);
  return (
    <>
      {allItems.length > 0 ? children(allItems) : !nextCursor && empty && <p class="empty">{empty}</p>}
      {error !== undefined && <Failure error={error} />}
      {nextCursor && (
        <button type="button" disabled={isBusy} onClick={() => loadMore(nextCursor)}>
          {isBusy ? t('page.loading') : t('page.more')}
        </button>
      )}
    </>
  );
}
