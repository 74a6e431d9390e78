import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '../../../shared/accounts/users/user.ts';
import type { Event } from '../../../shared/catalog/events/event.ts';
import type { Code } from '../../../shared/catalog/promo-codes/code.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { validate } from '../../../shared/http/middleware.ts';
import { type OrderRequest, orderRequest, planOrder } from '../../../shared/orders/checkout/draft-order.ts';
import { newReference, orderIdOf, toOrder } from '../../../shared/orders/order.ts';
import { insertOrder } from '../../../shared/orders/store.ts';
import type { Gateway } from '../../../shared/payments/gateway.ts';
import { buildEvent } from '../catalog/event-fixtures.ts';

beforeEach(() => {
  vi.stubEnv('TABLE_NAME', 'boxoffice');
  vi.stubEnv('TREASURY_ADDRESS', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  vi.stubEnv('PAYMENT_CHAINS', '137');
});
afterEach(() => vi.unstubAllEnvs());

/** An event on sale from 2027-01-01T12:00 (its creation) to 2027-05-01T20:00 (its end). */
const event = buildEvent({ tiers: [{ name: 'Standing', price: 50, quantity: 100 }], currency: 'NGN' });
const [tier] = event.tiers as [Event['tiers'][number]];
const user: User = {
  id: 'buyer',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'USER',
  walletAddress: null,
  walletVerified: false,
  kycStatus: 'NONE',
  emailVerified: false,
};
const duringSale = Date.parse('2027-02-01T12:00:00.000Z');
const reference = newReference(event.id, duringSale);

interface DraftChanges {
  event?: Partial<Event>;
  user?: Partial<User>;
  request?: Partial<OrderRequest>;
  code?: Code;
  now?: number;
}

function draft(changes: DraftChanges = {}) {
  const request = { eventId: event.id, tierId: tier.id, quantity: 2, paymentMethod: 'FIAT' } as const;
  const sale = {
    event: { ...event, ...changes.event },
    user: { ...user, ...changes.user },
    code: changes.code,
    gateway: { supports: () => true } as Partial<Gateway> as Gateway,
    isChainConnected: true,
  };
  const now = changes.now ?? duringSale;
  return planOrder(sale, { ...request, ...changes.request }, { reference, now, shard: 0 }).order;
}

describe('a draft', () => {
  it('is a PENDING order for the tier, with an id derived from its reference', () => {
    expect(draft()).toMatchObject({
      id: orderIdOf(reference),
      reference,
      userId: 'buyer',
      eventId: event.id,
      items: [{ tierId: tier.id, quantity: 2, unitPrice: 5_000n }],
      quantity: 2,
      description: '2 × Standing, Jazz',
      paymentMethod: 'FIAT',
      paymentStatus: 'PENDING',
      fulfilmentStatus: 'none',
      createdAt: '2027-02-01T12:00:00.000Z',
      updatedAt: '2027-02-01T12:00:00.000Z',
    });
  });

  it('is for the buyer’s own name and e-mail unless others are sent', () => {
    expect(draft()).toMatchObject({ customerEmail: 'ann@example.com', customerName: 'Ann' });
    const unset = { customerEmail: null, customerName: null };
    expect(draft({ request: unset })).toMatchObject({
      customerEmail: 'ann@example.com',
      customerName: 'Ann',
    });
    const customer = { customerEmail: 'ben@example.com', customerName: 'Ben' };
    expect(draft({ request: customer })).toMatchObject(customer);
  });

  it('can be created in the first and the last millisecond of the sale', () => {
    expect(draft({ now: Date.parse(event.saleStart) }).paymentStatus).toBe('PENDING');
    expect(draft({ now: Date.parse(event.saleEnd) }).paymentStatus).toBe('PENDING');
  });

  it('needs a VERIFIED buyer only when the event requires KYC', () => {
    expect(draft({ user: { kycStatus: 'REJECTED' } }).paymentStatus).toBe('PENDING');
    const verified = { event: { requireKYC: true }, user: { kycStatus: 'VERIFIED' } } as const;
    expect(draft(verified).paymentStatus).toBe('PENDING');
  });
});

describe('the amount of a draft', () => {
  it.each<[string, Event['currency'], bigint, number, bigint, bigint]>([
    ['adds a fee of 2.5 %', 'NGN', 5_000n, 2, 10_000n, 10_250n],
    ['rounds half a minor unit up', 'USD', 20n, 1, 20n, 21n],
    ['rounds less than half a minor unit down', 'USD', 19n, 1, 19n, 19n],
    ['rounds once for all tickets', 'USD', 19n, 3, 57n, 58n],
    ['has no decimals in yen', 'JPY', 1_000n, 3, 3_000n, 3_075n],
    [
      'is exact to 18 decimals',
      'ETH',
      1_000_000_000_000_000_001n,
      1,
      10n ** 18n + 1n,
      1_025n * 10n ** 15n + 1n,
    ],
    ['of a free order is zero', 'USD', 0n, 4, 0n, 0n],
  ])('%s', (_, currency, price, quantity, subtotal, totalAmount) => {
    const priced = { currency, tiers: [{ ...tier, price }] };
    expect(draft({ event: priced, request: { quantity } })).toMatchObject({
      currency,
      subtotal,
      totalAmount,
    });
  });

  it('is the price of the chosen tier, not of the cheapest', () => {
    const tiers = [tier, { ...tier, id: 'seated', name: 'Seated', price: 9_000n }];
    const order = draft({
      event: { tiers, ticketPrice: 5_000n },
      request: { tierId: 'seated', quantity: 1 },
    });
    expect(order).toMatchObject({ subtotal: 9_000n, totalAmount: 9_225n, description: '1 × Seated, Jazz' });
  });
});

describe('a draft of several items', () => {
  const child = { ...tier, id: 'child', name: 'Child', price: 1_001n, minPerOrder: 2 };
  const parking = { ...tier, id: 'parking', name: 'Parking', price: 333n, kind: 'addon' as const };
  const tiers = [tier, child, parking];
  const draftItems = (items: OrderRequest['items'], change: Partial<Event> = {}) =>
    draft({
      event: { tiers, ...change },
      request: { tierId: undefined, quantity: undefined, items },
    });

  it('has the tickets before the add-ons, and rounds the fee on the whole once', () => {
    const order = draftItems([
      { tierId: 'parking', quantity: 1 },
      { tierId: tier.id, quantity: 1 },
      { tierId: 'child', quantity: 3 },
    ]);
    expect(order.items).toEqual([
      { tierId: tier.id, quantity: 1, unitPrice: 5_000n },
      { tierId: 'child', quantity: 3, unitPrice: 1_001n },
      { tierId: 'parking', quantity: 1, unitPrice: 333n, isAddOn: true },
    ]);
    expect(order).toMatchObject({ quantity: 5, subtotal: 8_336n, totalAmount: 8_544n });
    expect(order.description).toBe('1 × Standing, 3 × Child, 1 × Parking, Jazz');
  });

  it('keeps the tax of each tier, the version of the seller and the language, also when it is stored', () => {
    const taxed = [
      { ...tier, taxPercent: 19.5 },
      { ...parking, taxPercent: 0 },
    ];
    const seller = { name: 'Olu', address: 'Broad Street 1', taxId: null };
    const items = taxed.map(({ id }) => ({ tierId: id, quantity: 1 }));
    const order = draftItems(items, { tiers: taxed, seller, formerSellers: [seller] });
    expect(order.items.map(({ taxPercent }) => taxPercent)).toEqual([19.5, 0]);
    expect(order).toMatchObject({ sellerVersion: 1, language: 'en' });
    expect(toOrder(insertOrder(order).item.Put?.Item ?? {})).toEqual(order);
  });

  it('charges the buyer no fee where the organizer pays it', () => {
    const order = draftItems([{ tierId: 'child', quantity: 3 }], { feePaidBy: 'organizer' });
    expect(order).toMatchObject({ subtotal: 3_003n, totalAmount: 3_003n, organizerFee: 75n });
  });

  it.each<[OrderRequest['items'], string, string]>([
    [[{ tierId: 'parking', quantity: 1 }], 'addon-alone', 'parking'],
    [
      [
        { tierId: 'parking', quantity: 3 },
        { tierId: tier.id, quantity: 2 },
      ],
      'addon-limit',
      'parking',
    ],
    [[{ tierId: 'child', quantity: 1 }], 'invalid-input', 'child'],
    [
      [
        { tierId: tier.id, quantity: 1 },
        { tierId: 'gone', quantity: 1 },
      ],
      'tier-not-found',
      'gone',
    ],
  ])('is refused with the items %j: %s, about the tier %s', (items, code, tierId) => {
    expect(() => draftItems(items)).toThrow(expect.objectContaining({ code, tierId }));
  });
});

describe('the tickets of a request', () => {
  const request = { eventId: 'event', paymentMethod: 'FIAT' };
  const item = { tierId: 'a', quantity: 1 };

  it.each<[object, string]>([
    [{}, 'tierId is required'],
    [{ tierId: 'a' }, 'quantity is required'],
    [{ quantity: 1, paymentMethod: undefined }, 'tierId is required'],
    [{ ...item, items: [item] }, 'items can’t be sent together with tierId and quantity'],
    [{ items: [] }, 'items must be at least 1'],
    [{ items: [item, { ...item, quantity: 2 }] }, 'items must have each tier once'],
    [
      {
        items: [
          { tierId: 'a', quantity: 300 },
          { tierId: 'b', quantity: 201 },
        ],
      },
      'items must have at most 500 tickets together',
    ],
    [{ items: [{ tierId: 'a', quantity: 0 }] }, 'items.0.quantity must be at least 1'],
  ])('are refused in %j: %s', (fields, message) => {
    expect(() => validate(orderRequest, { ...request, ...fields })).toThrow(message);
  });

  it('names all invalid fields', () => {
    expect(() => validate(orderRequest, { eventId: 'event' })).toThrow(
      expect.objectContaining({
        fields: ['tierId', 'quantity', 'paymentMethod'].map((path) => ({ path, message: expect.anything() })),
      }),
    );
  });
});

it('a draft that costs nothing is complete, and due for its fulfilment', () => {
  const order = draft({ event: { tiers: [{ ...tier, price: 0n }] } });
  expect(order).toMatchObject({
    paymentStatus: 'COMPLETED',
    paymentTxId: 'free',
    fulfilmentStatus: 'queued',
  });
  expect(order.queuedAt).toBe(order.createdAt);
});

describe('the gateway of a draft', () => {
  it('is the gateway that the buyer chose', () => {
    expect(draft({ request: { gateway: 'gateway-c' } }).gateway).toBe('gateway-c');
  });

  it.each([
    ['gateway-a', undefined],
    ['gateway-a', ''],
    ['gateway-a', 'gateway-x'],
    ['gateway-b', 'gateway-b'],
  ])('is by default %s when DEFAULT_GATEWAY is %j', (expected, configured) => {
    vi.stubEnv('DEFAULT_GATEWAY', configured);
    expect(draft().gateway).toBe(expected);
    expect(draft({ request: { gateway: null } }).gateway).toBe(expected);
  });

  it('is absent when the order is paid by crypto, even if one is sent', () => {
    const onChain = { event: { currency: 'POL' }, request: { paymentMethod: 'CRYPTO' } } as const;
    expect(draft(onChain)).not.toHaveProperty('gateway');
    const request = { paymentMethod: 'CRYPTO', gateway: 'gateway-a' } as const;
    expect(draft({ ...onChain, request })).not.toHaveProperty('gateway');
  });
});

describe('the hold of a draft', () => {
  it.each([
    [undefined, '2027-02-01T12:15:00.000Z'],
    ['', '2027-02-01T12:15:00.000Z'],
    ['5', '2027-02-01T12:05:00.000Z'],
    ['0.5', '2027-02-01T12:00:30.000Z'],
    ['0', '2027-02-01T12:00:00.000Z'],
  ])('with HOLD_MINUTES %j ends at %s', (minutes, expiresAt) => {
    vi.stubEnv('HOLD_MINUTES', minutes);
    expect(draft()).toMatchObject({ holdsInventory: true, expiresAt });
  });
});

describe('a confirmed e-mail address', () => {
  it('is needed only when ORDERS_NEED_VERIFIED_EMAIL is true', () => {
    expect(draft().paymentStatus).toBe('PENDING');
    vi.stubEnv('ORDERS_NEED_VERIFIED_EMAIL', 'false');
    expect(draft().paymentStatus).toBe('PENDING');
    vi.stubEnv('ORDERS_NEED_VERIFIED_EMAIL', 'true');
    expect(draft({ user: { emailVerified: true } }).paymentStatus).toBe('PENDING');
    const refusal = { kind: 'forbidden', code: 'email-not-verified' };
    expect(() => draft()).toThrow(expect.objectContaining(refusal));
  });
});

describe('a draft is refused', () => {
  const toMilliseconds = Date.parse;
  it.each<[string, DraftChanges, string, string]>([
    ['for an event with the status DRAFT', { event: { status: 'DRAFT' } }, 'conflict', 'not-on-sale'],
    ['for a cancelled event', { event: { status: 'CANCELLED' } }, 'conflict', 'not-on-sale'],
    ['before the sale starts', { now: toMilliseconds(event.saleStart) - 1 }, 'conflict', 'sale-not-started'],
    [
      'after the event ended',
      { event: { ...event, saleEnd: '2099-01-01T00:00:00Z' }, now: toMilliseconds(event.endDate) + 1 },
      'conflict',
      'sale-ended',
    ],
    ['after the sale ended', { now: toMilliseconds(event.saleEnd) + 1 }, 'conflict', 'sale-ended'],
    ['for a tier of another event', { request: { tierId: 'other' } }, 'not-found', 'tier-not-found'],
    ['for an event without tiers', { event: { tiers: [] } }, 'not-found', 'tier-not-found'],
    ...(['NONE', 'PENDING', 'REJECTED'] as const).map((kycStatus): [string, DraftChanges, string, string] => [
      `for an event that requires KYC when the buyer’s status is ${kycStatus}`,
      { event: { requireKYC: true }, user: { kycStatus } },
      'forbidden',
      'kyc-required',
    ]),
    [
      'for an unpublished event, even before the sale and with an unknown tier',
      { event: { status: 'DRAFT', tiers: [] }, now: 0 },
      'conflict',
      'not-on-sale',
    ],
  ])('%s', (_, changes, kind, code) => {
    expect(() => draft(changes)).toThrow(DomainError);
    expect(() => draft(changes)).toThrow(expect.objectContaining({ kind, code }));
  });
});
