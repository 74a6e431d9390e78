import { addTier, type Event, getEvent, ok, updateEvent, updateTier } from 'boxoffice-client';
import { FieldsRefused, invalidFieldsOf, isRefusal, messageOf, Refused, toSentence } from '../errors.ts';
import { decimalsOf } from '../money.ts';
import { t } from '../texts/form.ts';
import {
  areSameQuestions,
  changesOf,
  type EventEdit,
  findTier,
  isChangedElsewhere,
  isEmpty,
  type TierValues,
  toEventValues,
  toTierValues,
} from './event-values.ts';

/**
 * Saves the changes of the form: the event's fields in one request, and each tier in another. A refused request does
 * not undo the ones before it; saving again sends the remaining changes.
 * @param loaded the event that the form was filled with
 * @param onSaved called after each request, with the id of a tier that was added and its index in the form
 * @throws Refused when somebody else has changed the event since; FieldsRefused when the API refuses fields of a tier;
 * HttpError for any other refusal or failure; Unreachable when no answer arrives
 */
export async function saveEvent(
  loaded: Event,
  { entered, tierIds }: EventEdit,
  onSaved: (addedTier?: { index: number; id: string }) => void,
): Promise<void> {
  const stored = await readEvent(loaded.id);
  const ids = entered.tiers.map(
    (values, index) => tierIds[index] ?? findTierAddedWithoutAnswer(stored, tierIds, values),
  );
  if (isChangedElsewhere(loaded, stored, { entered, tierIds: ids })) throw new Refused(t('changedElsewhere'));
  const saveFields = async () => {
    const changes = changesOf(toEventValues(stored), entered.event);
    if (isEmpty(changes)) return;
    // The API moves an end that is not sent along with the start.
    await ok(
      updateEvent(stored.id, { ...changes, ...(changes.eventDate && { endDate: entered.event.endDate }) }),
    );
    onSaved();
  };
  const saveTier = async (index: number, values: TierValues) => {
    const storedTier = findTier(stored, ids[index]);
    if (!storedTier) {
      const { tier } = await ok(addTier(stored.id, values));
      return onSaved({ index, id: tier.id });
    }
    const changes = changesOf(toTierValues(storedTier, stored), values);
    if (!isEmpty(changes)) await ok(updateTier(stored.id, storedTier.id, changes));
    if (!isEmpty(changes) || !tierIds[index]) onSaved({ index, id: storedTier.id });
  };
  const saveTiers = async () => {
    for (const [index, values] of entered.tiers.entries()) {
      await saveTier(index, values).catch((error) => {
        throw toTierError(index, error);
      });
    }
  };
  const saveQuestions = async () => {
    if (areSameQuestions(stored.questions, entered.questions)) return;
    if (!areSameQuestions(stored.questions, loaded.questions)) throw new Refused(t('changedElsewhere'));
    await ok(updateEvent(stored.id, { questions: entered.questions }));
    onSaved();
  };
  // The API refuses prices with more decimals than the currency has. A currency with fewer decimals is saved last.
  const hasFewerDecimals = decimalsOf(entered.event.currency) < decimalsOf(stored.currency);
  for (const save of hasFewerDecimals ? [saveTiers, saveFields] : [saveFields, saveTiers]) await save();
  await saveQuestions();
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
  return others.find((tier) => isEmpty(changesOf(toTierValues(tier, event), values)))?.id;
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

/**
 * Reads an event as it is stored now. The request has the access token, so the CDN does not answer it from its cache.
 */
export async function readEvent(id: string): Promise<Event> {
  return (await ok(getEvent(id))).event;
}
