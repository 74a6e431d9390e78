import { describe, expect, it } from 'vitest';
import type { Event, Tier } from '../../../infra/client/api.ts';
import {
  areSameQuestions,
  changesOf,
  hasSales,
  isChangedElsewhere,
  readEventForm,
  toCreation,
  toEventValues,
  toTierValues,
} from '../../../infra/storefront/src/event-form/event-values.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const tier = {
  id: 'floor',
  name: 'Floor',
  description: '',
  price: 19.99,
  quantity: 100,
  maxPerPerson: 10,
  hidden: false,
  kind: 'ticket',
  perTicket: 1,
  minPerOrder: 1,
  taxPercent: null,
  saleStart: '2030-01-05T10:00:12.345Z',
  saleEnd: '2031-06-01T21:30:00.000Z',
  available: 97,
} as Tier;
const stored = {
  id: 'event',
  title: 'Quiet Lights',
  description: '',
  venue: 'The Old Foundry',
  address: '',
  city: 'Lagos',
  country: '',
  category: 'MUSIC',
  language: 'en',
  timezone: 'Africa/Lagos',
  eventDate: '2031-06-01T19:30:00.000Z',
  endDate: '2031-06-01T21:30:00.000Z',
  saleStart: '2030-01-05T10:00:12.345Z',
  saleEnd: '2031-06-01T21:30:00.000Z',
  currency: 'USD',
  imageUrl: '',
  contractAddress: null,
  chainId: 137,
  isPublic: true,
  allowTransfers: true,
  entry: 'account',
  lockAfterAdmission: false,
  waitingList: false,
  attachPdf: false,
  queue: null,
  returns: null,
  requireKYC: false,
  buyers: 'accounts',
  feePaidBy: 'buyer',
  seller: null,
  organizer: null,
  questionsWhen: 'order',
  questions: [],
  tiers: [tier],
} as unknown as Event;

/**
 * Fills the form with the stored event and `changes`. A value of undefined is an unchecked box or a disabled field. The
 * form selects entry by token, which has no effect while the event has no contract.
 */
function fillForm(changes: Record<string, string | undefined> = {}): FormData {
  const data = new FormData();
  const values = {
    title: 'Quiet Lights',
    description: '',
    venue: 'The Old Foundry',
    address: '',
    city: 'Lagos',
    country: '',
    category: 'MUSIC',
    language: 'en',
    timezone: 'Africa/Lagos',
    startDate: '2031-06-01T20:30',
    endDate: '2031-06-01T22:30',
    saleStart: '2030-01-05T11:00',
    saleEnd: '2031-06-01T22:30',
    currency: 'USD',
    imageUrl: '',
    contractAddress: '',
    entry: 'token',
    isPublic: 'on',
    allowTransfers: 'on',
    'tiers.0.name': 'Floor',
    'tiers.0.description': '',
    'tiers.0.price': '19.99',
    'tiers.0.quantity': '100',
    'tiers.0.maxPerPerson': '10',
    'tiers.0.saleStart': '',
    'tiers.0.saleEnd': '',
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) if (value !== undefined) data.set(name, value);
  return data;
}
const read = (changes?: Record<string, string | undefined>, before: Event | undefined = stored) =>
  readEventForm(fillForm(changes), {
    storedEvent: before,
    storedTiers: before?.tiers ?? [undefined],
    storedQuestions: before?.questions ?? [],
    chainId: 31337,
    now,
  });
const readNew = (changes?: Record<string, string | undefined>) =>
  readEventForm(fillForm(changes), {
    storedEvent: undefined,
    storedTiers: [undefined],
    storedQuestions: [],
    chainId: 31337,
    now,
  });
const eventChanges = (changes: Record<string, string | undefined>) =>
  changesOf(toEventValues(stored), read(changes).event);

describe('the form of an event', () => {
  it('has no changes when nothing was entered, even if stored times have seconds', () => {
    const { event, tiers, errors } = read();
    expect(changesOf(toEventValues(stored), event)).toEqual({});
    expect(tiers.map((entered) => changesOf(toTierValues(tier, stored), entered))).toEqual([{}]);
    expect(errors).toEqual({});
  });

  it('changes only what was entered', () => {
    const changes = { title: ' Loud Lights ', startDate: '2031-06-01T20:00', isPublic: undefined };
    expect(eventChanges(changes)).toEqual({
      title: 'Loud Lights',
      eventDate: '2031-06-01T19:00:00.000Z',
      isPublic: false,
    });
    expect(eventChanges({ lockAfterAdmission: 'on' })).toEqual({ lockAfterAdmission: true });
  });

  it('has a policy of returns once their last moment is entered', () => {
    expect(eventChanges({ 'returns.until': '', 'returns.feePercent': '10' })).toEqual({});
    expect(eventChanges({ 'returns.until': '2031-05-30T12:00', 'returns.feePercent': '10' })).toEqual({
      returns: { until: '2031-05-30T11:00:00.000Z', feePercent: 10, mode: 'always' },
    });
  });

  it('has a queue once the time of its opening is entered, drawn and ended with the sale by default', () => {
    const opening = { 'queue.opensAt': '2030-01-05T10:00', 'queue.drawAt': '', 'queue.until': '' };
    expect(eventChanges({ ...opening, 'queue.opensAt': '' })).toEqual({});
    const queue = { opensAt: '2030-01-05T09:00:00.000Z', drawAt: stored.saleStart, until: stored.saleEnd };
    expect(eventChanges(opening)).toEqual({ queue: { ...queue, perMinute: null } });
    const chosen = { ...opening, 'queue.drawAt': '2030-01-05T11:30', 'queue.perMinute': '500' };
    expect(eventChanges(chosen)).toEqual({
      queue: { ...queue, drawAt: '2030-01-05T10:30:00.000Z', perMinute: 500 },
    });
    // Of a queue that has opened, only the end can be entered.
    const opened = { ...stored, queue: { ...queue, perMinute: 500 } };
    const { event } = read({ 'queue.until': '2031-05-01T12:00' }, opened);
    expect(event.queue).toEqual({ ...queue, until: '2031-05-01T11:00:00.000Z', perMinute: 500 });
    const { event: created } = readNew({ ...opening, saleEnd: '' });
    expect(created.queue?.until).toBe('');
  });

  it('refuses a queue that is drawn before it opens or before the sale, or that ends before', () => {
    const errorsOf = (changes: Record<string, string>, readForm = read) =>
      Object.keys(readForm({ 'queue.opensAt': '2030-01-05T10:00', 'queue.drawAt': '', ...changes }).errors);
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ 'queue.opensAt': '2030-01-05T12:00' })).toEqual(['queue.drawAt']);
    expect(errorsOf({ 'queue.drawAt': '2030-01-05T10:30' })).toEqual(['queue.drawAt']);
    expect(errorsOf({ 'queue.until': '2030-01-05T10:30' })).toEqual(['queue.until']);
    expect(errorsOf({ saleStart: '' }, readNew)).toEqual(['queue.drawAt']);
  });

  it('reads all times in the selected time zone, even when only the zone changes', () => {
    expect(eventChanges({ timezone: 'UTC' })).toEqual({
      timezone: 'UTC',
      eventDate: '2031-06-01T20:30:00.000Z',
      endDate: '2031-06-01T22:30:00.000Z',
      saleStart: '2030-01-05T11:00:00.000Z',
      saleEnd: '2031-06-01T22:30:00.000Z',
    });
  });

  it('reads a local time that occurs twice as the stored instant, or as the first of the two when it was newly entered', () => {
    const timezone = 'Europe/Berlin';
    const [first, second] = ['2031-10-26T00:30:00.000Z', '2031-10-26T01:30:00.000Z'] as const;
    const times = { timezone, startDate: '2031-10-26T02:30', endDate: '2031-10-26T05:00' };
    expect(read(times).event.eventDate).toBe(first);
    expect(read(times, { ...stored, timezone, eventDate: second }).event.eventDate).toBe(second);
  });

  it('keeps the values of disabled fields', () => {
    const sold = { ...stored, contractAddress: '0xabc', chainId: 1, entry: 'account' } as Event;
    const disabled = { contractAddress: undefined, currency: undefined, entry: undefined };
    expect(changesOf(toEventValues(sold), read(disabled, sold).event)).toEqual({});
  });

  it('sets the chain of a new contract, and `entry` to `token` only when transfers are allowed', () => {
    const contractAddress = '0xdef';
    expect(eventChanges({ contractAddress })).toEqual({ contractAddress, chainId: 31337, entry: 'token' });
    expect(read({ contractAddress, allowTransfers: undefined }).event.entry).toBe('account');
  });

  it('reads questions: stored ones keep their kind, and options are lines', () => {
    const question = { id: 'q1', label: 'Meal?', kind: 'choice', required: true, options: ['A', 'B'] };
    const before = { ...stored, questions: [{ ...question, tierIds: ['floor'], per: 'ticket' }] } as Event;
    const fields = {
      'questions.0.label': 'Meal?',
      'questions.0.options': 'A\nB',
      'questions.0.required': 'on',
      'questions.0.tierIds': 'floor',
    };
    expect(areSameQuestions(before.questions, read(fields, before).questions)).toBe(true);
    const more = read({ ...fields, 'questions.0.options': ' A \n\nB\nC' }, before);
    expect(more.questions).toEqual([{ ...before.questions[0], options: ['A', 'B', 'C'] }]);
    expect(areSameQuestions(before.questions, more.questions)).toBe(false);
    const { errors } = read({ ...fields, 'questions.0.options': 'A\nA' }, before);
    expect(Object.keys(errors)).toEqual(['questions.0.options']);
  });

  it('reads who pays the fee, the seller and the tax; an empty seller is null, and a partial one an error', () => {
    const seller = { name: 'Hall GmbH', address: 'Weg 1', taxId: null };
    const fields = { 'seller.name': 'Hall GmbH', 'seller.address': 'Weg 1', 'seller.taxId': '' };
    expect(eventChanges({ ...fields, organizerPaysFee: 'on' })).toEqual({ seller, feePaidBy: 'organizer' });
    expect(changesOf(toEventValues({ ...stored, seller }), read(fields).event)).toEqual({});
    expect(read({ 'tiers.0.taxPercent': '7.5' }).tiers[0]?.taxPercent).toBe(7.5);
    const { errors } = read({ ...fields, 'seller.address': '' });
    expect(Object.keys(errors)).toEqual(['seller.address']);
  });

  it('finds that an earlier attempt saved an added question, which has no id in the form', () => {
    const fixed = { label: 'Age?', kind: 'text', required: false, per: 'order' } as const;
    const values = { ...fixed, options: [], tierIds: [] };
    expect(areSameQuestions([{ ...values, id: 'q2' }], [values])).toBe(true);
    expect(areSameQuestions([{ ...values, id: 'q2' }], [{ ...values, id: 'q3' }])).toBe(false);
  });

  it('omits the empty times of a new event, and sends those of its tiers as null', () => {
    const entered = readNew({ endDate: '', saleStart: '', saleEnd: '' });
    const creation = toCreation(entered, 'concert', 'DRAFT');
    expect(creation).toMatchObject({
      category: 'concert',
      status: 'DRAFT',
      startDate: '2031-06-01T19:30:00.000Z',
      tiers: [{ price: 19.99, saleStart: null, saleEnd: null }],
    });
    expect(Object.keys(creation)).not.toContain('endDate');
    expect(Object.keys(creation)).not.toContain('saleStart');
    expect(Object.keys(creation)).not.toContain('eventDate');
  });
});

describe('the errors of a form', () => {
  it('include those of all fields', () => {
    const { errors } = readNew({
      startDate: '2029-06-01T20:30',
      endDate: '2029-06-01T20:00',
      saleStart: '2031-01-01T00:00',
      saleEnd: '2030-12-31T00:00',
      imageUrl: 'http://example.com/a.png',
      'tiers.0.saleStart': '2030-03-02T00:00',
      'tiers.0.saleEnd': '2030-03-01T00:00',
    });
    expect(Object.keys(errors).sort()).toEqual([
      'endDate',
      'imageUrl',
      'saleEnd',
      'startDate',
      'tiers.0.saleEnd',
    ]);
  });

  it('include a time that the zone’s clocks skip', () => {
    const { errors } = readNew({
      timezone: 'Europe/Berlin',
      startDate: '2031-03-30T02:30',
      'tiers.0.saleStart': '2031-03-30T02:00',
    });
    expect(errors.startDate).toContain('put forward in Europe/Berlin');
    expect(Object.keys(errors)).toEqual(['startDate', 'tiers.0.saleStart']);
  });

  it('exclude the start and the image address of a stored event, which were valid when stored', () => {
    const begun = { ...stored, eventDate: '2029-12-31T20:00:00.000Z', imageUrl: 'http://example.com/a.png' };
    const { errors } = read({ startDate: '2029-12-31T21:00', imageUrl: begun.imageUrl }, begun);
    expect(errors).toEqual({});
  });
});

describe('an event that was changed since the form was filled', () => {
  const edit = (changes: Record<string, string | undefined> = {}) => ({
    entered: read(changes),
    tierIds: ['floor'],
  });

  it.each<[string, Event]>([
    ['a field that was not edited', { ...stored, city: 'Abuja' }],
    ['a field that was edited', { ...stored, title: 'Their Lights' }],
    ['a tier', { ...stored, tiers: [{ ...tier, maxPerPerson: 4 }] }],
    ['a new tier', { ...stored, tiers: [tier, { ...tier, id: 'vip' }] }],
  ])('counts as changed by somebody else: %s', (_title, current) => {
    expect(isChangedElsewhere(stored, current, edit({ title: 'My Lights' }))).toBe(true);
  });

  it.each<[string, Event]>([
    ['nothing', stored],
    ['the number of tickets left', { ...stored, tiers: [{ ...tier, available: 0 }] }],
    ['what an earlier attempt saved', { ...stored, title: 'My Lights' }],
    ['the tier that an earlier attempt saved', { ...stored, tiers: [{ ...tier, price: 30 }] }],
  ])('does not count as changed by somebody else: %s', (_title, current) => {
    const entered = edit({ title: 'My Lights', 'tiers.0.price': '30' });
    expect(isChangedElsewhere(stored, current, entered)).toBe(false);
  });
});

describe('hasSales', () => {
  it.each([
    ['false when all tickets of a tier are available', 100, 100, false],
    ['true when a ticket is sold or held', 99, 100, true],
    [
      'false when all tickets of an event are available whose total supply is below the tier’s quantity',
      40,
      40,
      false,
    ],
    ['true when a ticket of such an event is sold or held', 39, 40, true],
  ])('returns %s', (_title, available, totalSupply, expected) => {
    expect(hasSales({ tiers: [{ ...tier, available }], totalSupply })).toBe(expected);
  });
});
