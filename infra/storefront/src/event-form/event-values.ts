import type { Currency, createEvent, Event, Tier } from 'boxoffice-client';
import { t } from '../texts/form.ts';
import { instantsAt } from './zoned-time.ts';

/** Reads the form of an event and its tiers, and finds the differences from the stored event. */

const eventFields = [
  'title',
  'description',
  'venue',
  'address',
  'city',
  'country',
  'category',
  'timezone',
  'eventDate',
  'endDate',
  'saleStart',
  'saleEnd',
  'currency',
  'imageUrl',
  'contractAddress',
  'chainId',
  'isPublic',
  'allowTransfers',
  'entry',
  'lockAfterAdmission',
  'waitingList',
  'attachPdf',
  'language',
  'queue',
  'returns',
  'requireKYC',
  'buyers',
  'feePaidBy',
  'seller',
  'questionsWhen',
] as const;
/** An event as the form has it. A time whose field is empty is an empty string; the API then sets a default. */
export type EventValues = Pick<Event, (typeof eventFields)[number]>;

/** A tier as the form has it. `saleStart` and `saleEnd` are null for a tier that is sold at the event's times. */
export interface TierValues
  extends Pick<
    Tier,
    | 'name'
    | 'description'
    | 'price'
    | 'quantity'
    | 'maxPerPerson'
    | 'hidden'
    | 'kind'
    | 'perTicket'
    | 'minPerOrder'
    | 'taxPercent'
  > {
  saleStart: string | null;
  saleEnd: string | null;
}

type Question = Event['questions'][number];

/** A question as the form has it. A new one has no id. */
export type QuestionValues = Omit<Question, 'id'> & { id?: string };

/** The entered values, and the error messages by field name. */
export interface EnteredValues {
  event: EventValues;
  tiers: TierValues[];
  questions: QuestionValues[];
  errors: Record<string, string>;
}

/** The values in the form of an event. */
export interface EventEdit {
  entered: EnteredValues;
  /** The ids of the tiers, in the form's order; undefined for new tiers. */
  tierIds: (string | undefined)[];
}

interface ReadContext {
  /** Undefined for a new event. */
  storedEvent: Event | undefined;
  /** The stored tiers in the form's order; undefined for new ones. */
  storedTiers: readonly (Tier | undefined)[];
  /** The stored questions in the form's order; undefined for new ones. */
  storedQuestions: readonly (Question | undefined)[];
  /** The chain of a newly entered contract. */
  chainId: number;
  /** Epoch milliseconds. */
  now: number;
}

/** Reads the form. Values whose fields are disabled stay as they are stored. */
export function readEventForm(
  data: FormData,
  { storedEvent, storedTiers, storedQuestions, chainId, now }: ReadContext,
): EnteredValues {
  const errors: Record<string, string> = {};
  const text = (name: string, stored = '') => `${data.get(name) ?? stored}`.trim();
  const timezone = text('timezone', storedEvent?.timezone);
  const time = (name: string, stored: string | undefined): string => {
    const localTime = text(name);
    const instants = instantsAt(localTime, timezone);
    if (localTime && instants.length === 0) errors[name] = nonexistentTimeMessage(timezone);
    // When clocks are put back, an hour repeats, and each of its times has two instants. An unchanged time keeps the
    // stored instant; a new one gets the first.
    return instants.find((instant) => minuteOf(instant) === minuteOf(stored)) && stored
      ? stored
      : (instants[0] ?? '');
  };

  const contractAddress = text('contractAddress', storedEvent?.contractAddress ?? '') || null;
  const allowTransfers = data.has('allowTransfers');
  const event: EventValues = {
    title: text('title'),
    description: text('description'),
    venue: text('venue'),
    address: text('address'),
    city: text('city'),
    country: text('country'),
    category: text('category') as Event['category'],
    timezone,
    eventDate: time('startDate', storedEvent?.eventDate),
    endDate: time('endDate', storedEvent?.endDate),
    saleStart: time('saleStart', storedEvent?.saleStart),
    saleEnd:
      time('saleEnd', storedEvent?.saleEnd) || (storedEvent ? time('endDate', storedEvent.endDate) : ''),
    currency: text('currency', storedEvent?.currency) as Currency,
    imageUrl: text('imageUrl'),
    contractAddress,
    chainId: storedEvent && storedEvent.contractAddress === contractAddress ? storedEvent.chainId : chainId,
    isPublic: data.has('isPublic'),
    allowTransfers,
    entry:
      contractAddress && allowTransfers
        ? (text('entry', storedEvent?.entry ?? 'account') as Event['entry'])
        : 'account',
    lockAfterAdmission: data.has('lockAfterAdmission'),
    waitingList: data.has('waitingList'),
    attachPdf: data.has('attachPdf'),
    language: text('language', storedEvent?.language) as Event['language'],
    queue: null,
    returns: readReturns(
      time('returns.until', storedEvent?.returns?.until),
      text('returns.feePercent'),
      data.has('returns.whenResold'),
    ),
    requireKYC: data.has('requireKYC'),
    buyers: data.has('sellsToAnyone') ? 'anyone' : 'accounts',
    feePaidBy: data.has('organizerPaysFee') ? 'organizer' : 'buyer',
    seller: readSeller(text),
    questionsWhen: data.has('questionsLater') ? 'later' : 'order',
  };
  const storedQueue = storedEvent?.queue ?? undefined;
  const queueTime = (name: 'opensAt' | 'drawAt' | 'until') =>
    data.has(`queue.${name}`) ? time(`queue.${name}`, storedQueue?.[name]) : (storedQueue?.[name] ?? '');
  const perMinute = text('queue.perMinute', `${storedQueue?.perMinute ?? ''}`);
  const opensAt = queueTime('opensAt');
  if (opensAt) {
    event.queue = {
      opensAt,
      drawAt: queueTime('drawAt') || event.saleStart,
      until: queueTime('until') || event.saleEnd,
      perMinute: perMinute ? Number(perMinute) : null,
    };
  }
  const tiers = storedTiers.map((storedTier, index): TierValues => {
    const fieldName = (field: string) => `tiers.${index}.${field}`;
    const storedValues = storedEvent && storedTier && toTierValues(storedTier, storedEvent);
    return {
      name: text(fieldName('name')),
      description: text(fieldName('description')),
      price: Number(text(fieldName('price'))),
      quantity: Number(text(fieldName('quantity'))),
      maxPerPerson: Number(text(fieldName('maxPerPerson'))),
      hidden: data.has(fieldName('hidden')),
      kind: storedTier?.kind ?? (data.has(fieldName('isAddOn')) ? 'addon' : 'ticket'),
      perTicket: Number(text(fieldName('perTicket'), '1')),
      minPerOrder: Number(text(fieldName('minPerOrder'), '1')),
      taxPercent: text(fieldName('taxPercent')) ? Number(text(fieldName('taxPercent'))) : null,
      saleStart: time(fieldName('saleStart'), storedValues?.saleStart ?? undefined) || null,
      saleEnd: time(fieldName('saleEnd'), storedValues?.saleEnd ?? undefined) || null,
    };
  });
  const questions = storedQuestions.map((stored, index): QuestionValues => {
    const fieldName = (field: string) => `questions.${index}.${field}`;
    const kind = text(fieldName('kind'), stored?.kind) as Question['kind'];
    const options = text(fieldName('options')).split('\n');
    return {
      ...(stored && { id: stored.id }),
      label: text(fieldName('label')),
      kind,
      required: data.has(fieldName('required')),
      options: hasOptions(kind) ? options.map((option) => option.trim()).filter(Boolean) : [],
      tierIds: data.getAll(fieldName('tierIds')).map(String),
      per: text(fieldName('per'), stored?.per) as Question['per'],
    };
  });
  for (const [index, { kind, options }] of questions.entries()) {
    if (hasOptions(kind) && (options.length < 2 || new Set(options).size < options.length)) {
      errors[`questions.${index}.options`] = t('errors.options');
    }
  }
  return { event, tiers, questions, errors: { ...findErrors(event, tiers, storedEvent, now), ...errors } };
}

/** Returns null without a last moment. */
function readReturns(until: string, feePercent: string, isWhenResold: boolean): Event['returns'] {
  const mode = isWhenResold ? 'when-resold' : 'always';
  return until ? { until, feePercent: Number(feePercent), mode } : null;
}

/** Returns null when no field of the seller is filled. */
function readSeller(text: (name: string) => string): Event['seller'] {
  const [name, address, taxId] = [text('seller.name'), text('seller.address'), text('seller.taxId')];
  return name || address || taxId ? { name, address, taxId: taxId || null } : null;
}

/** Returns whether the organizer lists what can be answered. */
export function hasOptions(kind: Question['kind']): boolean {
  return kind === 'choice' || kind === 'multiple';
}

/** Returns the errors that the browser's validation misses: times in the wrong order, and unsupported picture URLs. */
function findErrors(
  event: EventValues,
  tiers: readonly TierValues[],
  storedEvent: Event | undefined,
  now: number,
): Record<string, string> {
  const errors: Record<string, string> = {};
  if (event.returns?.mode === 'when-resold' && (!event.waitingList || event.entry !== 'account'))
    errors['returns.whenResold'] = t('errors.whenResold');
  const { eventDate, endDate, saleStart, saleEnd, imageUrl } = event;
  const isChanged = (name: 'eventDate' | 'saleEnd' | 'imageUrl') =>
    event[name] && event[name] !== storedEvent?.[name];
  if (isChanged('eventDate') && Date.parse(eventDate) <= now) {
    errors.startDate = t('errors.startPast');
  }
  if (endDate && endDate < eventDate) errors.endDate = t('errors.endBeforeStart');
  if (isChanged('saleEnd') && Date.parse(saleEnd) <= now) {
    errors.saleEnd = t('errors.saleEndPast');
  }
  if (saleStart && saleEnd && saleEnd < saleStart) errors.saleEnd = t('errors.saleEndBeforeStart');
  if (isChanged('imageUrl') && !/^(https|ipfs):\/\//i.test(imageUrl)) {
    errors.imageUrl = t('errors.pictureAddress');
  }
  if (event.queue) Object.assign(errors, findQueueErrors(event.queue, saleStart));
  const { seller } = event;
  if (seller && !seller.name) errors['seller.name'] = t('errors.sellerName');
  if (seller && !seller.address) errors['seller.address'] = t('errors.sellerAddress');
  for (const [index, tier] of tiers.entries()) {
    if (tier.saleStart && tier.saleEnd && tier.saleEnd < tier.saleStart) {
      errors[`tiers.${index}.saleEnd`] = t('errors.saleEndBeforeStart');
    }
  }
  return errors;
}

function findQueueErrors(
  { opensAt, drawAt, until }: NonNullable<Event['queue']>,
  saleStart: string,
): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!drawAt) errors['queue.drawAt'] = t('errors.noDraw');
  else if (drawAt < saleStart) errors['queue.drawAt'] = t('errors.drawBeforeSale');
  else if (drawAt < opensAt) errors['queue.drawAt'] = t('errors.drawBeforeQueue');
  if (until && until <= drawAt) errors['queue.until'] = t('errors.queueEndsBeforeDraw');
  return errors;
}

function nonexistentTimeMessage(timezone: string): string {
  return t('errors.noSuchTime', { zone: timezone.replaceAll('_', ' ') });
}

function minuteOf(time = ''): string {
  return time.slice(0, 16);
}

/** Returns the request that creates an event. It omits empty times, for which the API sets defaults. */
export function toCreation(
  { event, tiers, questions }: EnteredValues,
  category: Creation['category'],
  status: Event['status'],
): Creation {
  const { eventDate, endDate, saleStart, saleEnd, queue, ...values } = event;
  return {
    ...values,
    category,
    status,
    startDate: eventDate,
    ...(endDate && { endDate }),
    ...(saleStart && { saleStart }),
    ...(saleEnd && { saleEnd }),
    queue: queue && { ...queue, until: queue.until || null },
    tiers,
    questions,
  };
}
type Creation = Parameters<typeof createEvent>[0];

/** Returns whether tickets are sold or held, which fixes the currency, the contract and the kind of entry. */
export function hasSales(event: Pick<Event, 'tiers' | 'totalSupply'> | undefined): boolean {
  if (!event) return false;
  const { tiers, totalSupply } = event;
  return tiers.some(({ quantity, available }) => available < Math.min(quantity, totalSupply));
}

/** Returns a stored event as the form has it. */
export function toEventValues(event: Event): EventValues {
  return Object.fromEntries(eventFields.map((name) => [name, event[name]])) as EventValues;
}

/**
 * Returns a stored tier as the form has it. For a tier without its own sale window, the API returns the event's, which
 * becomes null here.
 */
export function toTierValues(tier: Tier, event: Event): TierValues {
  const {
    name,
    description,
    price,
    quantity,
    maxPerPerson,
    hidden,
    kind,
    perTicket,
    minPerOrder,
    taxPercent,
  } = tier;
  const saleStart = tier.saleStart === event.saleStart ? null : tier.saleStart;
  const saleEnd = tier.saleEnd === event.saleEnd ? null : tier.saleEnd;
  const numbers = { price, quantity, maxPerPerson, perTicket, minPerOrder, taxPercent };
  return { name, description, ...numbers, hidden, kind, saleStart, saleEnd };
}

/** Returns the entered values that differ from the stored ones. */
export function changesOf<Values extends object>(stored: Values, entered: Partial<Values>): Partial<Values> {
  const names = Object.keys(entered) as (keyof Values)[];
  const changed = names.filter((name) => JSON.stringify(entered[name]) !== JSON.stringify(stored[name]));
  return Object.fromEntries(changed.map((name) => [name, entered[name]])) as Partial<Values>;
}

/**
 * Returns whether somebody else has changed the event: whether a stored value is neither the one that the form was
 * filled with nor the entered one, which an earlier attempt may have saved.
 */
export function isChangedElsewhere(loaded: Event, stored: Event, { entered, tierIds }: EventEdit): boolean {
  const isChanged = <Values extends object>(before: Values, now: Values, own: Values) =>
    !isEmpty(changesOf(own, changesOf(before, now)));
  return (
    isChanged(toEventValues(loaded), toEventValues(stored), entered.event) ||
    stored.tiers.some((tier) => {
      const [before, own] = [findTier(loaded, tier.id), entered.tiers[tierIds.indexOf(tier.id)]];
      if (!own) return true;
      return before && isChanged(toTierValues(before, loaded), toTierValues(tier, stored), own);
    })
  );
}

/** Returns whether the entered questions are the stored ones. Questions that were added have an id only in the store. */
export function areSameQuestions(stored: readonly Question[], entered: readonly QuestionValues[]): boolean {
  const toText = ({ label, kind, required, options, tierIds, per }: QuestionValues) =>
    JSON.stringify([label, kind, required, options, tierIds, per]);
  return (
    stored.length === entered.length &&
    stored.every((question, index) => {
      const own = entered[index];
      return own && (!own.id || own.id === question.id) && toText(own) === toText(question);
    })
  );
}

export function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}

export function findTier({ tiers }: Event, id: string | undefined): Tier | undefined {
  return tiers.find((tier) => tier.id === id);
}
