import { findUser } from '../../accounts/users/store.ts';
import { isClosed } from '../../accounts/users/user.ts';
import { DomainError, forbidden, notFound } from '../../core/errors.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { retry } from '../../runtime/retry.ts';
import { countCopiedChange } from '../events/editing/event-limits.ts';
import { copyToEvents, indexDelaySeconds } from '../events/store.ts';
import {
  type OrganizerPage,
  type PageInput,
  type StoredPage,
  toEventFields,
  toExistingPage,
  toOrganizerPageView,
} from './page.ts';
import { findPage, findPageBySlug, findStoredPage, recordCopied, removePage, savePage } from './store.ts';

/** Returns the page of an organizer. @throws DomainError 404 without one */
export async function showOwnPage(organizerId: string) {
  const page = await findPage(organizerId);
  if (!page) throw notFound('Page');
  return toOrganizerPageView(page);
}

/** @throws DomainError 404 for a slug that nobody has */
export async function showPage(slug: string) {
  const page = await findPageBySlug(slug);
  if (!page) throw notFound('Page');
  return toOrganizerPageView(page);
}

/**
 * Creates or replaces the page of an organizer. Their events copy what they show of it: now, and again when the index lists
 * events that have just been created.
 * @throws DomainError as `countCopiedChange`; 403 for a closed account; 409 for the slug of another organizer, and while the
 * page is being changed
 */
export async function replacePage(organizerId: string, fields: PageInput) {
  const owner = await findUser(organizerId);
  if (owner && isClosed(owner)) throw forbidden('The account is closed');
  await countCopiedChange(organizerId);
  const before = await findStoredPage(organizerId);
  const timestamp = new Date().toISOString();
  const page: OrganizerPage = {
    ...fields,
    organizerId,
    version: (before?.version ?? 0) + 1,
    createdAt: toExistingPage(before)?.createdAt ?? timestamp,
    updatedAt: timestamp,
  };
  await savePage(before, page);
  await copyNowAndLater(page);
  return toOrganizerPageView(page);
}

/**
 * Changes the logo of an organizer's page.
 * @param accept throws to leave the page as it is
 * @throws DomainError 404 without a page; 409 while the page is being changed
 */
export function changeLogo(
  organizerId: string,
  logoUrl: string,
  accept: (page: OrganizerPage) => void,
): Promise<void> {
  const change = async () => {
    const before = await findPage(organizerId);
    if (!before) throw notFound('Page');
    accept(before);
    const page = { ...before, logoUrl, version: before.version + 1, updatedAt: new Date().toISOString() };
    await savePage(before, page);
    await copyNowAndLater(page);
  };
  return retry(change, {
    isRetryable: (error) => error instanceof DomainError && error.code === 'busy',
    exhaustedError: (error) => error as DomainError,
  });
}

/**
 * Deletes the page of an organizer. Its address is free for everybody. Their events no longer show what they have copied of
 * it: now, and again when the index lists events that have just been created.
 * @throws DomainError 404 without a page; 409 while the page is being changed
 */
export async function deletePage(organizerId: string): Promise<void> {
  const page = await findPage(organizerId);
  if (!page) throw notFound('Page');
  const deleted = { organizerId, version: page.version + 1, deletedAt: new Date().toISOString() };
  await removePage(page, deleted);
  await copyNowAndLater(deleted);
  await deleteLogo(organizerId);
}

const deleteLogo = (organizerId: string) =>
  sendMessage('resize-pictures', { type: 'delete-pictures', ownerId: organizerId }, { tenant: organizerId });

/** Deletes the page of an erased person, if they have one. */
export async function erasePage(organizerId: string): Promise<void> {
  if (await findPage(organizerId)) await deletePage(organizerId);
}

async function copyNowAndLater(page: StoredPage): Promise<void> {
  const { organizerId } = page;
  await sendMessage(
    'run-event-jobs',
    { type: 'copy-page', organizerId },
    { delaySeconds: indexDelaySeconds, tenant: organizerId },
  );
  await copyPage(page);
}

/** Has events copy a page, when the index has all that were created before its last change. */
export async function copyPageToAllEvents(organizerId: string): Promise<void> {
  const page = await findStoredPage(organizerId);
  if (!page) return;
  await copyPage(page);
  if (!toExistingPage(page)) await deleteLogo(organizerId);
  await recordCopied(page);
}

/** Copies a page to its organizer's events, or removes the copies of a deleted one. A later change of the page wins. */
function copyPage(page: StoredPage): Promise<void> {
  return copyToEvents(page.organizerId, toEventFields(page), {
    name: 'organizerVersion',
    version: page.version,
  });
}
