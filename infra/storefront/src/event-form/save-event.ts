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

/**
 * Thrown when values that were changed in the form were also changed elsewhere: in another tab, or by another manager.
 * The form shows this at the fields. Saving again replaces the other values.
 */
export class ConflictingChanges extends FieldsRefused {
  /**
   * The event to compare the next attempt with. It has the stored conflicting values, so the next attempt replaces
   * them.
   */
  readonly base: Event;
  /**
   * The event to show in the form: the stored one, but with the conflicting values of the previous `base`. The form
   * overwrites a field when the event's value changes, so a conflicting field keeps what was entered.
   */
  readonly shown: Event;
  constructor(base: Event, stored: Event, conflicts: Conflicts) {
    const names = [
      ...conflicts.event.map((name) => fieldNames[name] ?? name),
      ...conflicts.tiers.flatMap(({ index, names }) => names.map((name) => `tiers.${index}.${name}`)),
    ];
    super(Object.fromEntries(names.map((name) => [name, conflictMessage])));
    this.base = replaceConflicting(base, stored, conflicts);
    this.shown = replaceConflicting(stored, base, conflicts);
  }
}

interface Conflicts {
  event: (keyof EventValues)[];
  tiers: { id: string; index: number; names: (keyof TierValues)[] }[];
}

const conflictMessage =
  'This was changed elsewhere since you opened the page. Save again to replace it, or reload the page to see the other change.';

/** The form's names of fields, where they differ from the event's. */
const fieldNames: Partial<Record<keyof EventValues, string>> = { eventDate: 'startDate' };

/**
 * @param base the event that the form was filled with, updated by what was saved since
 * @param stored the event as it is now
 * @throws ConflictingChanges when a value that was changed in the form was also changed elsewhere
 */
export function refuseConflicts(base: Event, stored: Event, { entered, tierIds }: EventEdit): void {
  const event = conflictsOf(toEventValues(base), toEventValues(stored), entered.event);
  const tiers = tierIds.flatMap((id, index) => {
    const [baseTier, storedTier] = [findTier(base, id), findTier(stored, id)];
    const values = entered.tiers[index];
    if (!id || !baseTier || !storedTier || !values) return [];
    const names = conflictsOf(toTierValues(baseTier, base), toTierValues(storedTier, stored), values);
    return names.length > 0 ? [{ id, index, names }] : [];
  });
  if (event.length + tiers.length > 0) throw new ConflictingChanges(base, stored, { event, tiers });
}

/** Returns an event with the conflicting values of another one. */
function replaceConflicting(event: Event, other: Event, conflicts: Conflicts): Event {
  const tiers = event.tiers.map((tier) => {
    const otherTier = findTier(other, tier.id);
    const names = conflicts.tiers.find(({ id }) => id === tier.id)?.names;
    return otherTier && names ? { ...tier, ...pick(otherTier, names) } : tier;
  });
  return { ...event, ...pick(other, conflicts.event), tiers };
}

/**
 * Saves the changes of the form: the event's fields in one request, and each tier in another. A refused request does
 * not undo the ones before it; saving again sends the remaining changes.
 * @param base the event that the form was filled with, updated by what was saved since
 * @param stored the event as it is now
 * @param onSaved called after each request with the `base` of the next attempt. It excludes changes made elsewhere:
 * otherwise the next attempt would undo them, since the form has the older values
 * @throws FieldsRefused when the API refuses fields of a tier; HttpError for any other refusal or failure; Unreachable
 * when no answer arrives
 */
export async function saveEvent(
  base: Event,
  stored: Event,
  { entered, tierIds }: EventEdit,
  { onTierAdded, onSaved }: { onTierAdded: OnTierAdded; onSaved: (base: Event) => void },
): Promise<void> {
  let saved = base;
  const recordSaved = (changes: Partial<Event>) => {
    saved = { ...saved, ...changes };
    onSaved(saved);
  };
  const saveFields = async () => {
    const changes = eventChangesToSave(toEventValues(base), toEventValues(stored), entered.event);
    if (isEmpty(changes)) return;
    const { event } = await ok(updateEvent(stored.id, changes));
    recordSaved(pick(event, namesOf(changes)));
  };
  const saveTier = async (index: number, values: TierValues) => {
    const id = tierIds[index] ?? findTierAddedWithoutAnswer(stored, tierIds, values);
    const storedTier = findTier(stored, id);
    if (!storedTier) {
      const { tier } = await ok(addTier(stored.id, values));
      onTierAdded(index, tier.id);
      return recordSaved({ tiers: [...saved.tiers, tier] });
    }
    const baseTier = findTier(base, id);
    if (!baseTier) {
      onTierAdded(index, storedTier.id);
      return recordSaved({ tiers: [...saved.tiers, storedTier] });
    }
    const changes = changesToSave(toTierValues(baseTier, base), toTierValues(storedTier, stored), values);
    if (isEmpty(changes)) return;
    const { tier } = await ok(updateTier(stored.id, storedTier.id, changes));
    const savedTier = { ...baseTier, ...pick(tier, namesOf(changes)) };
    recordSaved({ tiers: saved.tiers.map((each) => (each.id === savedTier.id ? savedTier : each)) });
  };
  const saveTiers = async () => {
    for (const [index, values] of entered.tiers.entries()) {
      await saveTier(index, values).catch((error) => {
        throw toTierError(index, error);
      });
    }
  };
  // The API refuses prices with more decimals than the currency has. A currency with fewer decimals is saved last.
  const hasFewerDecimals = decimalsOf(entered.event.currency) < decimalsOf(stored.currency);
  for (const save of hasFewerDecimals ? [saveTiers, saveFields] : [saveFields, saveTiers]) await save();
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

function pick<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>;
}

function namesOf<Values extends object>(values: Values): (keyof Values)[] {
  return Object.keys(values) as (keyof Values)[];
}

function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
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
