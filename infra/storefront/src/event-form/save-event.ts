import { addTier, type Event, getEvent, ok, type Tier, updateEvent, updateTier } from 'boxoffice-client';
import { FieldsRefused, invalidFieldsOf, isRefusal, messageOf, toSentence } from '../errors.ts';
import { decimalsOf } from '../money.ts';
import {
  changesOf,
  changesToSave,
  conflictsOf,
  type EnteredValues,
  type EventValues,
  eventChangesToSave,
  type TierValues,
  toEventValues,
  toTierValues,
} from './event-values.ts';

/** The values in the form of an event. */
export interface EventEdit {
  entered: EnteredValues;
  /** The ids of the tiers, in the form's order; undefined for new tiers. */
  tierIds: (string | undefined)[];
}

/** Called with the index in the form and the id of a tier that was added. */
export type OnTierAdded = (index: number, id: string) => void;

/** The form's names of fields, where they differ from the event's. */
const fieldNames: Partial<Record<keyof EventValues, string>> = { eventDate: 'startDate' };

/**
 * Throws when values that were changed in the form were also changed elsewhere: in another tab, or by another manager.
 * @param shown the event that the form was filled with
 * @param stored the event as it is now
 * @throws FieldsRefused
 */
export function refuseConflicts(shown: Event, stored: Event, { entered, tierIds }: EventEdit): void {
  const eventFields = conflictsOf(toEventValues(shown), toEventValues(stored), entered.event);
  const tierFields = tierIds.flatMap((id, index) => {
    const [shownTier, storedTier] = [findTier(shown, id), findTier(stored, id)];
    const values = entered.tiers[index];
    if (!shownTier || !storedTier || !values) return [];
    const names = conflictsOf(toTierValues(shownTier, shown), toTierValues(storedTier, stored), values);
    return names.map((name) => `tiers.${index}.${name}`);
  });
  const names = [...eventFields.map((name) => fieldNames[name] ?? name), ...tierFields];
  if (names.length === 0) return;
  const sentence =
    'This was changed elsewhere since you opened the page. Save again to replace it, or reload the page to see the other change.';
  throw new FieldsRefused(Object.fromEntries(names.map((name) => [name, sentence])));
}

/**
 * Saves the changes of the form: the event's fields in one request, and each tier in another. A refused request does
 * not undo the ones before it; saving again sends the remaining changes.
 * @param shown the event that the form was filled with
 * @param stored the event as it is now
 * @throws FieldsRefused, HttpError, Unreachable
 */
export async function saveEvent(
  shown: Event,
  stored: Event,
  { entered, tierIds }: EventEdit,
  onTierAdded: OnTierAdded,
): Promise<void> {
  const changes = eventChangesToSave(toEventValues(shown), toEventValues(stored), entered.event);
  const saveFields = async () => {
    if (Object.keys(changes).length > 0) await ok(updateEvent(stored.id, changes));
  };
  const saveTiers = async () => {
    for (const [index, values] of entered.tiers.entries()) {
      const id = tierIds[index] ?? findTierAddedWithoutAnswer(stored, tierIds, values);
      const savedId = await saveTier(shown, stored, id, values).catch((error) => {
        throw toTierError(index, error);
      });
      if (tierIds[index] === undefined) onTierAdded(index, savedId);
    }
  };
  // The API refuses prices with more decimals than the currency has. A currency with fewer decimals is saved last.
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
  const storedTier = findTier(stored, id);
  if (!storedTier) return (await ok(addTier(stored.id, values))).tier.id;
  const shownTier = findTier(shown, id);
  const storedValues = toTierValues(storedTier, stored);
  const shownValues = shownTier ? toTierValues(shownTier, shown) : storedValues;
  const changes = changesToSave(shownValues, storedValues, values);
  if (Object.keys(changes).length > 0) await ok(updateTier(stored.id, storedTier.id, changes));
  return storedTier.id;
}

/**
 * Returns the id of a tier that an earlier attempt added although its answer was lost. Such a tier is not in the form,
 * and has the entered values.
 */
function findTierAddedWithoutAnswer(
  event: Event,
  tierIds: EventEdit['tierIds'],
  values: TierValues,
): string | undefined {
  const others = event.tiers.filter(({ id }) => !tierIds.includes(id));
  return others.find((tier) => Object.keys(changesOf(toTierValues(tier, event), values)).length === 0)?.id;
}

/** Converts an error about fields of a tier to FieldsRefused. Returns any other error unchanged. */
function toTierError(index: number, error: unknown): unknown {
  if (isRefusal(error, 409) && error.headers?.get('x-error-code') === 'below-sold') {
    return new FieldsRefused({ [`tiers.${index}.quantity`]: `${messageOf(error)}.` });
  }
  const refused = invalidFieldsOf(error).map(
    (field) => [`tiers.${index}.${field.path}`, toSentence(field)] as const,
  );
  return refused.length > 0 ? new FieldsRefused(Object.fromEntries(refused)) : error;
}

function findTier({ tiers }: Event, id: string | undefined): Tier | undefined {
  return tiers.find((tier) => tier.id === id);
}

/**
 * Reads an event as it is stored now. The request has the access token, so the CDN does not answer it from its cache.
 */
export async function readEvent(id: string): Promise<Event> {
  return (await ok(getEvent(id))).event;
}
