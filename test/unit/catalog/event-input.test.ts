import { describe, expect, it } from 'vitest';
import {
  eventChange,
  eventCreation,
  tierCreation,
} from '../../../shared/catalog/events/editing/event-input.ts';
import { validate } from '../../../shared/http/middleware.ts';

const requiredFields = { title: 'Jazz', venue: 'Club', startDate: '2027-05-01T18:00:00Z' };
const tier = { name: 'A', price: 1, quantity: 1 };
const parseCreation = (fields: object) => validate(eventCreation, { ...requiredFields, ...fields });
const parseChange = (fields: object) => validate(eventChange, fields);

describe('the fields of a new event', () => {
  it('have defaults', () => {
    expect(parseCreation({})).toEqual({
      ...requiredFields,
      startDate: '2027-05-01T18:00:00.000Z',
      endDate: undefined,
      description: '',
      address: '',
      city: '',
      country: '',
      latitude: null,
      longitude: null,
      timezone: 'UTC',
      category: 'OTHER',
      image: '',
      imageUrl: '',
      contractAddress: null,
      chainId: 137,
      metadataUri: null,
      tiers: [],
      ticketPrice: 0,
      maxCapacity: 0,
      currency: 'USD',
      tags: '',
      isPublic: true,
      allowTransfers: true,
      requireKYC: false,
      lockAfterAdmission: false,
      status: 'PUBLISHED',
      buyers: 'accounts',
      questions: undefined,
      questionsWhen: 'order',
      offlineMode: 'ask',
      feePaidBy: 'buyer',
      language: 'en',
      seller: null,
      returns: null,
      waitingList: false,
      attachPdf: false,
      queue: null,
    });
  });

  it('have the default for null in optional fields', () => {
    const names = Object.keys(parseCreation({})).filter((name) => !(name in requiredFields));
    expect(parseCreation(Object.fromEntries(names.map((name) => [name, null])))).toEqual(parseCreation({}));
  });

  it.each([
    ['conference', 'CONFERENCE'],
    ['concert', 'MUSIC'],
    ['workshop', 'WORKSHOP'],
    ['networking', 'MEETUP'],
    ['festival', 'FESTIVAL'],
    ['sports', 'SPORTS'],
    ['theater', 'THEATER'],
    ['other', 'OTHER'],
  ])('map the category %s to %s', (sent, stored) => {
    expect(parseCreation({ category: sent }).category).toBe(stored);
  });

  it('contain no unknown fields', () => {
    expect(parseCreation({ id: 'mine', createdAt: '2020-01-01', organizerId: 'x' })).toEqual(
      parseCreation({}),
    );
  });

  it('include every field of a change', () => {
    // The date has another name in a creation, and the category other values.
    // Check-in lists name tiers, which a new event does not have yet.
    const differing = ['eventDate', 'category', 'checkInLists'];
    const fields = Object.keys(eventChange.shape).filter((name) => !differing.includes(name));
    expect(fields.filter((name) => !(name in eventCreation.shape))).toEqual([]);
  });

  it.each([
    [{ title: undefined }, 'title is required'],
    [{ title: '   ' }, 'title must not be empty'],
    [{ title: 'x'.repeat(201) }, 'title must have at most 200 characters'],
    [{ description: 'x'.repeat(5001) }, 'description must have at most 5000 characters'],
    [{ venue: 7 }, 'venue must be a string'],
    [{ startDate: 'tomorrow' }, 'startDate must be an ISO 8601 time'],
    [{ startDate: '2027-02-30T10:00:00Z' }, 'startDate must be an ISO 8601 time'],
    [{ endDate: '2027-05-01T17:59:59Z' }, 'endDate must not be before startDate'],
    [{ category: 'CONFERENCE' }, 'category must be one of conference'],
    [{ latitude: 90.1 }, 'latitude must be at most 90'],
    [{ longitude: -180.1 }, 'longitude must be at least -180'],
    [{ timezone: '+02:00' }, 'timezone must be an IANA time zone'],
    [{ timezone: 'Mars/Olympus' }, 'timezone must be an IANA time zone'],
    // Node knows them, but Firefox does not.
    [{ timezone: 'AET' }, 'timezone must be an IANA time zone'],
    [{ timezone: 'SystemV/PST8' }, 'timezone must be an IANA time zone'],
    [{ image: 'ftp://host/file.png' }, 'image must be an http, https or ipfs address'],
    [{ metadataUri: 'javascript:alert(1)' }, 'metadataUri must be an http, https or ipfs address'],
    [{ contractAddress: '0x12' }, 'contractAddress must be a valid address'],
    [{ chainId: 1.5 }, 'chainId must be a whole number'],
    [{ ticketPrice: -1 }, 'ticketPrice must be at least 0'],
    [{ ticketPrice: Number.NaN }, 'ticketPrice must be a number'],
    [{ maxCapacity: 10_000_001 }, 'maxCapacity must be at most 10000000'],
    [{ maxCapacity: 2.5 }, 'maxCapacity must be a whole number'],
    [{ currency: 'XXX' }, 'currency must be one of USD'],
    [{ status: 'SOLD_OUT' }, 'status must be one of PUBLISHED, DRAFT, CANCELLED'],
    [{ isPublic: 'yes' }, 'isPublic must be a boolean'],
    [{ tiers: 'A' }, 'tiers must be an array'],
    [{ tiers: Array(31).fill(tier) }, 'tiers must have at most 30 entries'],
    [{ tiers: [{ ...tier, price: -0.01 }] }, 'tiers.0.price must be at least 0'],
    [{ tiers: [tier, { ...tier, quantity: -1 }] }, 'tiers.1.quantity must be at least 0'],
    [{ tiers: [{ ...tier, maxPerPerson: 0 }] }, 'tiers.0.maxPerPerson must be at least 1'],
    [{ tiers: [{ price: 1, quantity: 1 }] }, 'tiers.0.name is required'],
  ])('are refused with %j: %s', (fields, message) => {
    expect(() => parseCreation(fields)).toThrow(message);
  });

  it('include a limit of ten tickets of a tier per person by default', () => {
    expect(validate(tierCreation, tier)).toMatchObject({ ...tier, description: '', maxPerPerson: 10 });
  });
});

describe('times', () => {
  it.each([
    ['2027-05-01T18:00:00+02:00', '2027-05-01T16:00:00.000Z'],
    ['2027-05-01T18:00:00-05:30', '2027-05-01T23:30:00.000Z'],
    ['2027-05-01T18:00:00.125Z', '2027-05-01T18:00:00.125Z'],
    ['2027-05-01T18:00:00.123456Z', '2027-05-01T18:00:00.123Z'],
    ['2027-05-01T18:00Z', '2027-05-01T18:00:00.000Z'],
    ['2027-05-01T18:00:00', '2027-05-01T18:00:00.000Z'],
    ['2027-05-01', '2027-05-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('%s is parsed as %s', (sent, parsed) => {
    expect(parseChange({ saleEnd: sent }).saleEnd).toBe(parsed);
  });

  it.each(['2027-13-01', '2027-02-29', '2027-05-01 18:00:00', '1777746600', '9999-12-31T23:59:59-05:00', ''])(
    '%s is refused',
    (sent) => {
      expect(() => parseChange({ saleEnd: sent })).toThrow('saleEnd must be an ISO 8601 time');
    },
  );
});

describe('the fields of an event change', () => {
  it('contain only the fields sent', () => {
    expect(parseChange({ city: ' Lagos ', source: 'elsewhere', organizerId: 'x' })).toEqual({
      city: 'Lagos',
    });
  });

  it('can be null to clear a nullable field', () => {
    const cleared = { latitude: null, longitude: null, metadataUri: null, contractAddress: null };
    expect(parseChange(cleared)).toEqual(cleared);
  });

  it('have coordinates rounded to zero when they are too small for the table', () => {
    expect(parseChange({ latitude: 1e-163, longitude: -0 })).toEqual({ latitude: 0, longitude: 0 });
    expect(parseChange({ latitude: -6.524379 })).toEqual({ latitude: -6.524379 });
  });

  it('can have an empty string to remove an image', () => {
    expect(parseChange({ imageUrl: '' })).toEqual({ imageUrl: '' });
  });

  it.each([
    [{ title: null }, 'title must be a string'],
    [{ category: 'concert' }, 'category must be one of CONFERENCE'],
    [{ status: 'SOLD_OUT' }, 'status must be one of PUBLISHED, DRAFT, CANCELLED'],
    [{ currency: 'XXX' }, 'currency must be one of USD'],
    [{ isPublic: 'yes' }, 'isPublic must be a boolean'],
    [{ totalSupply: -1 }, 'totalSupply must be at least 0'],
    [{ maxPerWallet: 0 }, 'maxPerWallet must be at least 1'],
    [{ tags: ['a'] }, 'tags must be a string'],
  ])('are refused with %j: %s', (fields, message) => {
    expect(() => parseChange(fields)).toThrow(message);
  });
});
