import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Failure, Loaded } from './resource.tsx';
import { useResource } from './use-resource.ts';

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
          {isBusy ? 'Loading…' : 'Show more'}
        </button>
      )}
    </>
  );
}
