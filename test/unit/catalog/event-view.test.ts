import { describe, expect, it } from 'vitest';
import { toEventView } from '../../../shared/catalog/events/event-view.ts';
import { eventPool } from '../../../shared/catalog/inventory/inventory.ts';
import { buildEvent, twoTiers } from './event-fixtures.ts';

const event = buildEvent(twoTiers);
const [a, b] = event.tiers.map(({ id }) => id) as [string, string];

describe('toEventView', () => {
  it('returns the documented fields and no others', () => {
    expect(Object.keys(toEventView(event, new Map(), 'none')).sort()).toEqual(
      [
        ...['id', 'title', 'description', 'venue', 'address', 'city', 'country', 'latitude', 'longitude'],
        ...[
          'source',
          'externalUrl',
          'eventDate',
          'endDate',
          'saleStart',
          'saleEnd',
          'totalSupply',
          'ticketPrice',
        ],
        ...['currency', 'maxPerWallet', 'contractAddress', 'chainId', 'imageUrl', 'metadataUri', 'category'],
        ...['contractStatus', 'entry'],
        ...['tags', 'isPublic', 'allowTransfers', 'requireKYC', 'status', 'organizerId', 'createdAt'],
        ...['updatedAt', 'timezone', 'tiers'],
      ].sort(),
    );
  });

  it('returns prices in major units, and the documented fields of a tier', () => {
    const view = toEventView(event, new Map(), 'none');
    expect(view).toMatchObject({ ticketPrice: 5, source: 'boxoffice', externalUrl: null });
    expect(Object.keys(view.tiers[0] ?? {})).toEqual([
      'id',
      'name',
      'description',
      'price',
      'quantity',
      'maxPerPerson',
      'hidden',
      'saleStart',
      'saleEnd',
      'available',
    ]);
  });

  it('returns the available tickets of each tier', () => {
    const view = toEventView(
      event,
      new Map([
        [a, 12],
        [b, 3],
      ]),
      'none',
    );
    expect(view.tiers.map(({ available }) => available)).toEqual([12, 3]);
  });

  it('limits the available tickets of a tier to those of the event', () => {
    const view = toEventView(
      event,
      new Map([
        [a, 12],
        [b, 3],
        [eventPool, 5],
      ]),
      'none',
    );
    expect(view.tiers.map(({ available }) => available)).toEqual([5, 3]);
  });
});
