import { addTier, type Event, getEvent, ok, type Tier, updateEvent, updateTier } from 'boxoffice-client';
import { FieldsRefused, invalidFieldsOf, isRefusal, messageOf, sentenceAbout } from '../errors.ts';
import { decimalsOf } from '../money.ts';
import {
  changesOf,
  changesToSave,
  conflictsOf,
  type Entered,
  type EventValues,
  eventChangesToSave,
  ownValues,
  type TierValues,
  valuesOf,
} from './event-values.ts';

/** The entered values, with the ids of the tiers; undefined for new tiers. */
export interface Draft {
  entered: Entered;
  tierIds: (string | undefined)[];
}

/** Given the place in the form and the id of a tier that was added. */
export type TierAdded = (index: number, id: string) => void;

/** The names of fields that the form has under another name. */
const fieldNames: Partial<Record<keyof EventValues, string>> = { eventDate: 'startDate' };

/**
 * Refuses values that were changed here and meanwhile elsewhere: in another tab, or by another manager.
 * @param shown the event that the form was filled with
 * @param stored the event as it is now
 * @throws FieldsRefused
 */
export function refuseConflicts(shown: Event, stored: Event, { entered, tierIds }: Draft): void {
  const eventFields = conflictsOf(valuesOf(shown), valuesOf(stored), entered.event);
  const tierFields = tierIds.flatMap((id, index) => {
    const [before, now] = [tierOf(shown, id), tierOf(stored, id)];
    const values = entered.tiers[index];
    if (!before || !now || !values) return [];
    const names = conflictsOf(ownValues(before, shown), ownValues(now, stored), values);
    return names.map((name) => `tiers.${index}.${name}`);
  });
  const names = [...eventFields.map((name) => fieldNames[name] ?? name), ...tierFields];
  if (names.length === 0) return;
  const sentence =
    'This was changed elsewhere since you opened the page. Save again to replace it, or open the page anew to see it.';
  throw new FieldsRefused(Object.fromEntries(names.map((name) => [name, sentence])));
}

/**
 * Saves what was changed in the form: the event's fields by one request, and each tier by another. What is refused does
 * not undo what was saved before it; saving again sends the rest.
 * @param shown the event that the form was filled with
 * @param stored the event as it is now
 * @throws FieldsRefused, HttpError, Unreachable
 */
export async function saveEvent(
  shown: Event,
  stored: Event,
  { entered, tierIds }: Draft,
  onTierAdded: TierAdded,
): Promise<void> {
  const changes = eventChangesToSave(valuesOf(shown), valuesOf(stored), entered.event);
  const saveFields = async () => {
    if (Object.keys(changes).length > 0) await ok(updateEvent(stored.id, changes));
  };
  const saveTiers = async () => {
    for (const [index, values] of entered.tiers.entries()) {
      const id = tierIds[index] ?? addedWithoutAnswer(stored, tierIds, values);
      const saved = await saveTier(shown, stored, id, values).catch((error) => {
        throw refusalAt(index, error);
      });
      if (tierIds[index] === undefined) onTierAdded(index, saved);
    }
  };
  // A price has to fit its currency at every step.
  const hasFewerDecimals = decimalsOf(entered.event.currency) < decimalsOf(stored.currency);
  for (const save of hasFewerDecimals ? [saveTiers, saveFields] : [saveFields, saveTiers]) await save();
}

/** @returns the tier's id */
async function saveTier(
  shown: Event,
  stored: Event,
  id: string | undefined,
  values: TierValues,
): Promise<string> {
  const now = tierOf(stored, id);
  if (!now) return (await ok(addTier(stored.id, values))).tier.id;
  const before = tierOf(shown, id);
  const storedValues = ownValues(now, stored);
  const changes = changesToSave(before ? ownValues(before, shown) : storedValues, storedValues, values);
  if (Object.keys(changes).length > 0) await ok(updateTier(stored.id, now.id, changes));
  return now.id;
}

/** A tier that an earlier attempt added, whose answer was lost: it is not in the form, and has the same values. */
function addedWithoutAnswer(event: Event, tierIds: Draft['tierIds'], values: TierValues): string | undefined {
  const others = event.tiers.filter(({ id }) => !tierIds.includes(id));
  return others.find((tier) => Object.keys(changesOf(ownValues(tier, event), values)).length === 0)?.id;
}

/** A refusal of a tier, at the fields that it is about. */
function refusalAt(index: number, error: unknown): unknown {
  if (isRefusal(error, 409) && error.headers?.get('x-error-code') === 'below-sold') {
    return new FieldsRefused({ [`tiers.${index}.quantity`]: `${messageOf(error)}.` });
  }
  const refused = invalidFieldsOf(error).map(
    (field) => [`tiers.${index}.${field.path}`, sentenceAbout(field)] as const,
  );
  return refused.length > 0 ? new FieldsRefused(Object.fromEntries(refused)) : error;
}

function tierOf({ tiers }: Event, id: string | undefined): Tier | undefined {
  return tiers.find((tier) => tier.id === id);
}

/** The event as it is stored now, which a CDN does not answer. */
export async function readEvent(id: string): Promise<Event> {
  return (await ok(getEvent(id))).event;
}
