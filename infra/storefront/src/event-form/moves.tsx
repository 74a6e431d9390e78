import type { Event } from 'boxoffice-client';
import { shortTime } from '../format.ts';
import { t } from '../texts/form.ts';
import type { EventValues } from './event-values.ts';

/** A time of the event that the form changes. */
export interface Move {
  label: string;
  before: string;
  after: string;
}

export function findMoves(stored: Event, entered: EventValues): Move[] {
  return (['eventDate', 'endDate', 'saleStart', 'saleEnd'] as const)
    .filter((name) => entered[name] && entered[name] !== stored[name])
    .map((name) => ({ label: t(`times.${name}`), before: stored[name], after: entered[name] }));
}

/** The times that saving the form changes. */
export function Moves({ moves, event: { timezone } }: { moves: Move[]; event: Event }) {
  return (
    <div class="status" role="status">
      {t('times.changes')}
      <ul>
        {moves.map(({ label, before, after }) => (
          <li key={label}>
            {label}: {shortTime(before, timezone)} → <b>{shortTime(after, timezone)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
