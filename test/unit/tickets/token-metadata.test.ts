import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Event, endOf } from '../../../shared/catalog/events/event.ts';
import type { Order } from '../../../shared/orders/order.ts';
import {
  drawTicket,
  type TokenSources,
  tokenStatusOf,
  toTokenMetadata,
} from '../../../shared/tickets/metadata/views.ts';
import { type Ticket, ticketId, ticketIdPrefix } from '../../../shared/tickets/ticket.ts';
import { svgOf } from '../../support/images.ts';
import { buildEvent } from '../catalog/event-fixtures.ts';

const uri = z.string().regex(/^(https?:\/\/|ipfs:\/\/|ar:\/\/|data:)\S+$/);

const numericTrait = z.strictObject({
  trait_type: z.string().min(1),
  display_type: z.enum(['number', 'boost_number', 'boost_percentage']).optional(),
  value: z.number(),
  max_value: z.number().optional(),
});
const textTrait = z.strictObject({ trait_type: z.string().min(1).optional(), value: z.string().min(1) });
/** The value is in Unix seconds. The maximum, in the year 9999, excludes milliseconds. */
const dateTrait = z.strictObject({
  trait_type: z.string().min(1),
  display_type: z.literal('date'),
  value: z.int().min(0).max(253_402_300_799),
});

/** Fields of an item: https://docs.opensea.io/docs/media-and-traits */
const openSeaItem = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  image: uri,
  external_url: uri.optional(),
  animation_url: uri.optional(),
  background_color: z
    .string()
    .regex(/^[0-9a-f]{6}$/i)
    .optional(),
  attributes: z.array(z.union([dateTrait, numericTrait, textTrait])),
});

const event: Event = {
  ...buildEvent({
    title: 'Night of the Lambdas',
    venue: 'Old Station',
    city: 'Lagos',
    startDate: '2027-05-01T18:00:00Z',
    timezone: 'Africa/Lagos',
    tiers: [{ name: 'Floor', price: 5, quantity: 30 }],
  }),
  id: 'event1',
};
const order = {
  id: 'order1',
  quantity: 2,
  items: [{ tierId: event.tiers[0]?.id ?? '', quantity: 2, unitPrice: 500n }],
  paymentStatus: 'COMPLETED',
  fulfilmentStatus: 'minted',
  holdsInventory: true,
  customerName: 'Ben Buyer',
  customerEmail: 'ben@example.com',
} as Order;
const ticket = { tokenId: '77' } as Ticket;
const validSources: TokenSources = { seatNumber: 1, tokenId: 77n, order, event, ticket, isAdmitted: false };
const beforeEvent = Date.parse('2027-04-01T00:00:00Z');

const statusWith = (change: Partial<TokenSources>, now = beforeEvent) =>
  tokenStatusOf({ ...validSources, ...change }, now);
const metadataWith = (
  change: Partial<TokenSources> = {},
  publicUrl: string | undefined = 'https://tickets.example',
) => {
  const changed = { ...validSources, ...change };
  return toTokenMetadata(changed, tokenStatusOf(changed, beforeEvent), publicUrl);
};

describe('the metadata of a token', () => {
  it('describes the event, the tier, the seat and the status', () => {
    const { name, external_url, attributes } = metadataWith();
    expect(name).toBe('Night of the Lambdas – Floor (1 of 2)');
    expect(external_url).toBe('https://tickets.example/events/event1');
    expect(attributes).toEqual([
      { trait_type: 'Event', value: 'Night of the Lambdas' },
      { trait_type: 'Tier', value: 'Floor' },
      { trait_type: 'Date', display_type: 'date', value: Date.parse('2027-05-01T18:00:00Z') / 1000 },
      { trait_type: 'Starts', value: expect.stringMatching(/1 May 2027.*19:00 \(Africa\/Lagos\)$/) },
      { trait_type: 'Venue', value: 'Old Station, Lagos' },
      { trait_type: 'Seat', value: '1 of 2' },
      { trait_type: 'Status', value: 'Valid' },
    ]);
  });

  it.each([
    ['of a valid ticket', {}],
    [
      'of an event with a description and an image',
      { event: { ...event, description: 'Loud', imageUrl: 'ipfs://cid' } },
    ],
    ['of a missing event', { event: undefined }],
    ['of a missing order', { order: undefined, ticket: undefined }],
    ['of a burned token', { ticket: { ...ticket, burnedAt: '2027-01-01T00:00:00.000Z' } }],
  ])('%s has the fields that OpenSea documents', (_, change) => {
    expect(openSeaItem.parse(metadataWith(change))).toBeTruthy();
    expect(openSeaItem.parse(metadataWith(change, ''))).not.toHaveProperty('external_url');
  });

  it('has the event’s image, or a drawn image if the event has none', () => {
    const imageUrl = 'https://example.com/night.png';
    expect(metadataWith({ event: { ...event, imageUrl } }).image).toBe(imageUrl);
    expect(svgOf(metadataWith().image)).toContain('Old Station, Lagos');
  });

  it('does not contain the buyer’s name or e-mail address', () => {
    const text = JSON.stringify(metadataWith()) + svgOf(metadataWith().image);
    expect(text).not.toMatch(/Ben|example\.com/);
  });

  it('starts its description with the reason when the ticket is not valid', () => {
    const refunded = metadataWith({ order: { ...order, fulfilmentStatus: 'refund-due' } });
    expect(refunded.description).toMatch(/^Refunded, not valid for entry\./);
    expect(svgOf(refunded.image)).toContain('Refunded, not valid for entry');
  });
});

describe('the status of a token', () => {
  const refund = { status: 'done' } as Order['refund'];
  it.each<[string, Partial<TokenSources>, boolean]>([
    ['Valid', {}, true],
    ['Valid', { ticket: undefined }, true],
    ['Admitted', { isAdmitted: true }, true],
    ['Refunded, not valid for entry', { order: { ...order, refund } }, false],
    ['Refunded, not valid for entry', { order: { ...order, refund }, isAdmitted: true }, false],
    ['Event cancelled, not valid for entry', { event: { ...event, status: 'CANCELLED' } }, false],
    ['Replaced, not valid for entry', { ticket: { ...ticket, tokenId: '99' } }, false],
    ['Not paid, not valid for entry', { order: { ...order, holdsInventory: false } }, false],
    ['Unknown, not valid for entry', { order: undefined }, false],
  ])('is %s', (text, change, isValid) => {
    expect(statusWith(change)).toMatchObject({ text, isValid });
  });

  it.each<[string, Partial<TokenSources>, string | undefined]>([
    ['valid', {}, undefined],
    ['admitted', { isAdmitted: true }, undefined],
    [
      'admitted, where the organizer locks admitted tickets,',
      { isAdmitted: true, event: { ...event, lockAfterAdmission: true } },
      'Somebody was admitted with this ticket',
    ],
    ['refunded', { order: { ...order, refund } }, 'The ticket was refunded'],
    [
      'refunded and burned',
      { order: { ...order, refund }, ticket: { ...ticket, burnedAt: '2027-03-01T00:00:00.000Z' } },
      undefined,
    ],
  ])('says why the token of a ticket that is %s is locked, if it is', (_, change, lock) => {
    expect(statusWith(change).lock).toBe(lock);
    const attributes = metadataWith(change).attributes.filter(({ trait_type }) => trait_type === 'Locked');
    expect(attributes.map(({ value }) => value)).toEqual(lock ? [lock] : []);
  });

  it('is `Event ended` from a day after the event’s end', () => {
    const end = endOf(event);
    const day = 24 * 3_600_000;
    expect(statusWith({}, end + day - 60_000).text).toBe('Valid');
    expect(statusWith({}, end + day + 60_000).text).toBe('Event ended');
  });
});

const draw = (title: string, notice?: string) =>
  svgOf(drawTicket({ title, lines: ['Saturday', 'Club'], seed: 'event', notice }));

/** Returns the names of an image's tags. Fails when a `<` does not start a tag, as a strict XML parser would. */
function tagNamesOf(svg: string): string[] {
  const tags = svg.match(/<\/?\w+(?: [\w:-]+="[^"<]*")*\/?>/g) ?? [];
  expect(svg.split('<')).toHaveLength(tags.length + 1);
  return tags.map((tag) => /\w+/.exec(tag)?.[0] ?? '');
}

describe('a drawn ticket', () => {
  it('shows the title, the lines and a notice', () => {
    const svg = draw('Night of the Lambdas', 'Refunded, not valid for entry');
    expect(svg).toContain('>Night of the Lambdas<');
    expect(svg).toContain('>Saturday<');
    expect(svg).toContain('>Refunded, not valid for entry<');
  });

  it('contains no elements from its texts, such as a script', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"/><image href="https://evil.example/x"/>',
        ']]><!--',
        '&xxe;<!ENTITY a "b">',
        `' onload='alert(1)`,
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, (title, notice) => {
        const tagNames = tagNamesOf(draw(title, notice));
        expect(new Set(tagNames)).toEqual(new Set(['svg', 'rect', 'circle', 'text']));
      }),
      { numRuns: 300 },
    );
  });

  it('contains no character that XML forbids', () => {
    const svg = draw('a\u0000b\u0008c\ufffed\ud800e');
    expect(svg).not.toMatch(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/u);
    expect(svg).toContain('>abcd\ufffde<');
  });

  it('shortens long texts', () => {
    const svg = draw('word '.repeat(200), 'x'.repeat(1000));
    expect(svg.length).toBeLessThan(3_000);
    expect(svg).toContain('…');
  });
});

describe('ticket ids', () => {
  it('end in the ticket’s number within its order, with leading zeros, so that ids sort by it', () => {
    const ids = [1, 2, 9, 10, 99, 100, 999].map((number) => ticketId('corder', number));
    expect(ids[0]).toBe('corder-001');
    expect([...ids].sort()).toEqual(ids);
  });

  it('have a different prefix for each order', () => {
    expect(ticketId('corder', 1).startsWith(ticketIdPrefix('corder'))).toBe(true);
    expect(ticketId('corder2', 1).startsWith(ticketIdPrefix('corder'))).toBe(false);
  });
});
