import { conflict } from '../../core/errors.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { check, put, remove, transact, update, type Write, write } from '../../dynamo/write.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import {
  type DeletedPage,
  type OrganizerPage,
  type StoredPage,
  toExistingPage,
  toStoredPage,
} from './page.ts';

/** Reads the page of an organizer or what is left of a deleted one, strongly consistent. */
export async function findStoredPage(organizerId: string): Promise<StoredPage | undefined> {
  const item = await getItem(keys.organizerPage(organizerId));
  return item && toStoredPage(item);
}

/** Reads the page of an organizer, strongly consistent. */
export async function findPage(organizerId: string): Promise<OrganizerPage | undefined> {
  return toExistingPage(await findStoredPage(organizerId));
}

export async function findPageBySlug(slug: string): Promise<OrganizerPage | undefined> {
  const owner = await getItem(keys.organizerSlug(slug));
  const page = owner && (await findPage(String(owner.organizerId)));
  return page?.slug === slug ? page : undefined;
}

const busy = () => conflict('busy', 'Your page is being changed, please try again', 1);

/** The page has not changed since it was read, or since there was none. */
const whenUnchanged = (page: StoredPage | undefined, orThrow: () => Error = busy) =>
  page
    ? { when: '#version = :version', values: { version: page.version }, orThrow }
    : { when: 'attribute_not_exists(#pk)', orThrow };

/** Returns a check that the page is the one that was read. @throws DomainError 409 from the transaction */
export function checkPage(organizerId: string, page: StoredPage | undefined): Write {
  return check(keys.organizerPage(organizerId), whenUnchanged(page));
}

/**
 * Stores a page with its slug, and frees the slug that it had. The sweep has events copy it, unless that
 * is done before.
 * @throws DomainError 409 for the slug of another organizer, and while the page is being changed
 */
export function savePage(before: StoredPage | undefined, page: OrganizerPage): Promise<void> {
  const { slug, organizerId } = page;
  const formerSlug = toExistingPage(before)?.slug;
  const whenFree = {
    when: 'attribute_not_exists(#pk)',
    orThrow: () => conflict('slug-taken', 'Another organizer has this address: choose another one'),
  };
  return transact([
    putPage(before, page),
    ...(formerSlug === slug ? [] : [put({ ...keys.organizerSlug(slug), organizerId }, whenFree)]),
    ...(formerSlug && formerSlug !== slug ? [remove(keys.organizerSlug(formerSlug))] : []),
  ]);
}

/**
 * Deletes a page, but not its version, and frees its slug. The sweep has events lose what they show of
 * it, unless that is done before.
 * @throws DomainError 409 while the page is being changed
 */
export function removePage(page: OrganizerPage, deleted: DeletedPage): Promise<void> {
  return transact([putPage(page, deleted), remove(keys.organizerSlug(page.slug))]);
}

/** Returns the write of a page, or of what is left of it. It stays due until all events have copied it. */
function putPage(before: StoredPage | undefined, page: StoredPage): Write {
  const due = dueAttributes(page.organizerId, Date.now() + outboxDelayMilliseconds);
  return put({ ...keys.organizerPage(page.organizerId), ...page, ...due }, whenUnchanged(before));
}

/** The page was changed or deleted. */
class PageChanged extends Error {}

/** Stores that all events have copied a page, unless it has changed since. */
export async function recordCopied(page: StoredPage): Promise<void> {
  const condition = whenUnchanged(page, () => new PageChanged());
  const set = { duePk: undefined, dueAt: undefined };
  try {
    await write(update(keys.organizerPage(page.organizerId), { set }, condition));
  } catch (error) {
    if (!(error instanceof PageChanged)) throw error;
  }
}
