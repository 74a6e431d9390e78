import { invalid } from '../../../core/errors.ts';
import { type Event, maximumTextLength, textLength } from '../event.ts';

/**
 * Refuses descriptions whose total length exceeds the maximum. An event with longer descriptions from before the limit
 * may keep or shorten them.
 * @throws DomainError 400 for descriptions that are too long
 */
export function refuseLongTexts(after: Event, before?: Event): void {
  const length = textLength(after);
  if (length <= maximumTextLength || (before && length <= textLength(before))) return;
  throw invalid(
    `The descriptions of an event and its tiers must have at most ${maximumTextLength} characters together`,
  );
}
