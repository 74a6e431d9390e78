import { conflict } from '../../core/errors.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { check, put, remove, transact, update, type Write, write } from '../../dynamo/write.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { type OrganizerPage, toOrganizerPage } from './page.ts';

/** Reads the page of an organizer, strongly consistent. */
export async function findPage(organizerId: string): Promise<OrganizerPage | undefined> {
  const item = await getItem(keys.organizerPage(organizerId));
  return item && toOrganizerPage(item);
}

export async function findPageBySlug(slug: string): Promise<OrganizerPage | undefined> {
  const owner = await getItem(keys.organizerSlug(slug));
  const page = owner && (await findPage(String(owner.organizerId)));
  return page?.slug === slug ? page : undefined;
}

const busy = () => conflict('busy', 'Your page is being changed, please try again', 1);

/** The page has not changed since it was read, or since there was none. */
const whenUnchanged = (page: OrganizerPage | undefined, orThrow: () => Error = busy) =>
  page
    ? { when: '#version = :version', values: { version: page.version }, orThrow }
    : { when: 'attribute_not_exists(#pk)', orThrow };

/** Returns a check that the page is the one that was read. @throws DomainError 409 from the transaction */
export function checkPage(organizerId: string, page: OrganizerPage | undefined): Write {
  return check(keys.organizerPage(organizerId), whenUnchanged(page));
}

/**
 * Stores a page with its slug, and frees the slug that it had. The sweep has events copy it, unless that is done before.
 * @throws DomainError 409 for the slug of another organizer, and while the page is being changed
 */
export function savePage(before: OrganizerPage | undefined, page: OrganizerPage): Promise<void> {
  const { organizerId, slug } = page;
  const item = { ...keys.organizerPage(organizerId), ...page };
  const due = dueAttributes(organizerId, Date.now() + outboxDelayMilliseconds);
  const whenFree = {
    when: 'attribute_not_exists(#pk)',
    orThrow: () => conflict('slug-taken', 'Another organizer has this address: choose another one'),
  };
  return transact([
    put({ ...item, ...due }, whenUnchanged(before)),
    ...(before?.slug === slug ? [] : [put({ ...keys.organizerSlug(slug), organizerId }, whenFree)]),
    ...(before && before.slug !== slug ? [remove(keys.organizerSlug(before.slug))] : []),
  ]);
}

/** Removes a page and frees its slug. @throws DomainError 409 while the page is being changed */
export function removePage(page: OrganizerPage): Promise<void> {
  return transact([
    remove(keys.organizerPage(page.organizerId), whenUnchanged(page)),
    remove(keys.organizerSlug(page.slug)),
  ]);
}

/** The page was changed or removed. */
class PageChanged extends Error {}

/** Stores that all events have copied a page, unless it has changed since. */
export async function recordCopied(page: OrganizerPage): Promise<void> {
  const condition = whenUnchanged(page, () => new PageChanged());
  const set = { duePk: undefined, dueAt: undefined };
  try {
    await write(update(keys.organizerPage(page.organizerId), { set }, condition));
  } catch (error) {
    if (!(error instanceof PageChanged)) throw error;
  }
}
