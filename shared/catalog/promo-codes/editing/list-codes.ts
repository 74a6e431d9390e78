import type { PageQuery } from '../../../dynamo/read.ts';
import { getManagedEvent } from '../../events/read-events.ts';
import { toCodeView } from '../code-view.ts';
import { queryCodes } from '../store.ts';

/**
 * Lists a page of an event's codes, in alphabetical order, with the number of their uses.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function listCodes(eventId: string, userId: string, page: PageQuery) {
  const { currency } = await getManagedEvent(eventId, userId);
  const { codes, nextCursor } = await queryCodes(eventId, page);
  return { codes: codes.map((code) => toCodeView(code, currency)), nextCursor };
}
