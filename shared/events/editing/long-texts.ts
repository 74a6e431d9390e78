import { invalid } from '../../core/errors.ts';
import { type Event, maximumTextLength, textLength } from '../event.ts';

/**
 * Refuses descriptions that are too long together. An event that has longer ones from before may keep or shorten them.
 * @throws DomainError 400
 */
export function refuseLongTexts(after: Event, before?: Event): void {
  const length = textLength(after);
  if (length <= maximumTextLength || (before && length <= textLength(before))) return;
  throw invalid(
    `The descriptions of an event and its tiers must have at most ${maximumTextLength} characters together`,
  );
}
