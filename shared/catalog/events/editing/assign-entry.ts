import { invalid } from '../../../core/errors.ts';
import type { EntryType, Event } from '../event.ts';

/**
 * Returns the event with its entry type: the organizer's present choice, else the earlier one. Without any choice, the
 * entry is `token` when the event has a contract and allows transfers, else `account`.
 * @throws DomainError 400 for entry by token when the event has no contract or does not allow transfers
 */
export function assignEntry(event: Event, choice: EntryType | undefined): Event {
  const hasTokens = event.contractAddress !== null && event.allowTransfers;
  const isEntryChosen = choice !== undefined || event.isEntryChosen;
  const entry = choice ?? (event.isEntryChosen ? event.entry : hasTokens ? 'token' : 'account');
  if (entry === 'token' && !hasTokens) {
    throw invalid('entry by token needs a contractAddress and allowTransfers');
  }
  return { ...event, entry, isEntryChosen };
}
