import { findUser } from '../../accounts/users/store.ts';
import { isClosed } from '../../accounts/users/user.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { copyToEvents, indexDelaySeconds } from '../events/store.ts';
import { type OrganizerPage, type PageInput, toEventFields, toOrganizerPageView } from './page.ts';
import { findPage, findPageBySlug, recordCopied, removePage, savePage } from './store.ts';

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
 * @throws DomainError 403 for a closed account; 409 for the slug of another organizer, and while the page is being changed
 */
export async function replacePage(organizerId: string, input: PageInput) {
  const owner = await findUser(organizerId);
  if (owner && isClosed(owner)) throw forbidden('The account is closed');
  const before = await findPage(organizerId);
  const timestamp = new Date().toISOString();
  const page: OrganizerPage = {
    ...input,
    organizerId,
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? timestamp,
    updatedAt: timestamp,
  };
  await savePage(before, page);
  await sendMessage(
    'run-event-jobs',
    { type: 'copy-page', organizerId },
    { delaySeconds: indexDelaySeconds, tenant: organizerId },
  );
  await copyPage(page);
  return toOrganizerPageView(page);
}

/** Has events copy a page, when the index has all that were created before its last change. */
export async function copyPageToAllEvents(organizerId: string): Promise<void> {
  const page = await findPage(organizerId);
  if (!page) return;
  await copyPage(page);
  await recordCopied(page);
}

/** Copies a page to its organizer's events. A later change of the page wins. */
function copyPage(page: OrganizerPage): Promise<void> {
  return copyToEvents(page.organizerId, toEventFields(page), {
    name: 'organizerVersion',
    version: page.version,
  });
}

/** Removes the page of a person, and what their events show of it. */
export async function deletePage(organizerId: string): Promise<void> {
  const page = await findPage(organizerId);
  if (page) await removePage(page);
  await copyToEvents(organizerId, { organizer: undefined });
}
