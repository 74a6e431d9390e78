import * as z from 'zod';
import { addressNotConfirmed } from '../../accounts/users/store.ts';
import { email, type User } from '../../accounts/users/user.ts';
import {
  type Event,
  isAddOn,
  requireVerifiedIdentity,
  returnsEndAt,
  sellsToList,
} from '../../catalog/events/event.ts';
import { hashBuyer, type TierQuantity } from '../../catalog/inventory/inventory.ts';
import { type PurchaseLimits, requireUnpaused } from '../../catalog/inventory/store.ts';
import { type Code, codeText, toRedemption } from '../../catalog/promo-codes/code.ts';
import { countUse } from '../../catalog/promo-codes/store.ts';
import { admittedUpTo, isQueued, turnOf } from '../../catalog/queue/queue.ts';
import {
  type Backing,
  entryLifecycle,
  heldByOffer,
  type OfferedEntry,
} from '../../catalog/waiting-list/entry.ts';
import { transitionEntry } from '../../catalog/waiting-list/store.ts';
import { findPaymentToken, isPaymentChain } from '../../chain/chains.ts';
import {
  aboutTier,
  conflict,
  DomainError,
  type ErrorCode,
  forbidden,
  gone,
  invalid,
  invalidFields,
} from '../../core/errors.ts';
import type { Currency } from '../../core/money.ts';
import {
  filledText,
  type GatewayName,
  gatewayNames,
  idInput,
  languageInput,
  walletAddress,
} from '../../core/schemas.ts';
import { transition } from '../../core/state-machine.ts';
import type { Item } from '../../dynamo/read.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Gateway } from '../../payments/gateway.ts';
import { optionalSetting } from '../../runtime/config.ts';
import type { QueueTicket } from '../../runtime/tokens.ts';
import { answers, requireValidAnswers } from '../answers/answer.ts';
import { putAnswers } from '../answers/store.ts';
import { type ChainTerms, listingsOf, type Order, orderIdOf, sumItems } from '../order.ts';
import { countOpenCryptoOrder, insertOrder } from '../store.ts';
import { backOffer, type ChosenSeats, offerEnded, toBacking } from '../waiting-list/listings.ts';
import { describeItems, itemFields, priceItems, withItems } from './price-items.ts';

export const codeField = codeText
  .nullish()
  .meta({ description: 'A discount or access code. It is redeemed when the order is placed' });

/** A buyer without an account. */
const customer = z.object({
  email: email.meta({ description: 'Where the tickets and the link to the order go' }),
  name: filledText(100).meta({ description: 'The buyer’s name on the order' }),
  walletAddress: walletAddress
    .nullish()
    .meta({ description: 'The wallet that the tickets are minted to. It can be set later' }),
});

export type Customer = z.infer<typeof customer>;

const orderFields = z
  .object({
    eventId: z.string().min(1).max(64).meta({ description: 'The id of the event' }),
    ...itemFields,
    paymentMethod: z.enum(['CRYPTO', 'FIAT']).meta({
      description:
        '`FIAT`: at a gateway. `CRYPTO`: by a transaction on the event’s chain. A free order completes at once with either',
    }),
    gateway: z
      .enum(gatewayNames)
      .nullish()
      .meta({ description: 'For `FIAT`. Default: the service’s own default. Ignored for `CRYPTO`' }),
    customerEmail: z
      .string()
      .trim()
      .max(254)
      .pipe(z.email('must be an e-mail address'))
      .nullish()
      .meta({ description: 'Where the mail with the tickets goes. Default: the account’s address' }),
    customerName: filledText(100)
      .nullish()
      .meta({ description: 'The buyer’s name on the order. Default: the account’s name' }),
    code: codeField,
    offerId: idInput.nullish().meta({
      description:
        'The offer of the waiting list that the order takes. It may order fewer tickets than offered, and add-ons',
    }),
    answers: answers.nullish().meta({ description: 'The answers to the event’s questions' }),
    language: languageInput('The language of the order’s mails', 'the event’s'),
    customer: customer.nullish().meta({
      description: 'The buyer, for a request without an access token. The event has to sell to `anyone`',
    }),
  })
  .meta({
    examples: [
      {
        eventId: 'cm5x2k9q0h3v7r1t8w4y6z0ab',
        tierId: 'cm5x2k9q1b2n4d6f8g0j3l5p7',
        quantity: 2,
        paymentMethod: 'FIAT',
        gateway: 'gateway-a',
      },
    ],
  });
/** The request for an order. */
export const orderRequest = withItems(orderFields);
export type OrderRequest = z.infer<typeof orderRequest>;

/**
 * Requires that a request names its buyer once: by its access token, or by `customer`.
 * @throws DomainError 400
 */
export function requireOneBuyer(userId: string | undefined, request: OrderRequest): void {
  const { customer, customerEmail, customerName } = request;
  if (!customer) return;
  const issue = (path: string, message: string) => invalidFields({ path, message: `${path} ${message}` });
  if (userId !== undefined) throw issue('customer', 'can’t be sent with an access token');
  if (customerEmail) throw issue('customerEmail', 'can’t be sent together with customer');
  if (customerName) throw issue('customerName', 'can’t be sent together with customer');
}

/** Error codes of tickets that can't be sold, and of discount or access codes that can't be used. */
export const saleErrorCodes = [
  'event-not-found',
  'tier-not-found',
  'not-on-sale',
  'sale-not-started',
  'sale-ended',
  'code-unknown',
  'code-used-up',
  'code-not-for-tier',
  'addon-alone',
  'addon-limit',
  'discount-expired',
  'discount-not-started',
  'too-many-attempts',
] as const satisfies ErrorCode[];

/** Error codes of a refused order. */
export const orderErrorCodes = [
  ...saleErrorCodes,
  'sold-out',
  'waiting-list',
  'offer-ended',
  'too-few-left',
  'tier-limit',
  'wallet-limit',
  'too-many-open-orders',
  'queue-required',
  'not-your-turn',
  'turn-over',
  'kyc-required',
  'email-not-verified',
  'currency-not-supported',
  'gateway-not-configured',
  'crypto-not-configured',
  'provider-failed',
  'idempotency-key-too-short',
] as const satisfies ErrorCode[];

/** What an order is decided from, as it was read. */
export interface Sale {
  event: Event;
  user: User;
  /** The version of the user's session. */
  sessionVersion?: number | undefined;
  /** Set for a guest: the version of their access tokens, and the writes that store one who buys for the first time. */
  guest?: { version: number; writes: readonly Write[] } | undefined;
  /** The code that the request names. */
  code: Code | undefined;
  /** The offer of the waiting list that the request names, while it can be taken. */
  offer?: OfferedEntry | undefined;
  /** The orders whose listed seats are among the offered tickets. */
  sellers?: readonly Order[];
  /** The verified ticket of the event's queue. */
  queueTicket?: QueueTicket | undefined;
  /** The gateway of the request; undefined for a crypto order, and for a gateway that is not configured. */
  gateway: Gateway | undefined;
  /** Whether the event's chain can be asked for payments. Read for crypto orders. */
  isChainConnected: boolean;
  /** The network that the request came from, and the count of its unpaid orders. */
  network?: { id: string; item: Item | undefined } | undefined;
}

/** An order with the writes that store it, to be made in the transaction that reserves its tickets. */
export interface OrderPlan {
  event: Event;
  order: Order;
  /** The first is that of the order itself. */
  writes: readonly [Write, ...Write[]];
  /** Tickets that are reserved already, by an offer. */
  takenOver?: readonly TierQuantity[];
  /** The limits of the buyer, besides those of the event and its tiers. */
  limits?: Pick<PurchaseLimits, 'maxOpenOrders' | 'isUnpaidGuest' | 'maxPerCode' | 'refusesPausedAt'>;
}

/**
 * Plans the order of a request. An order that costs nothing is complete at once.
 * @param identity the payment reference, the time (epoch milliseconds), and a random number that chooses the shard of
 * the inventory
 * @throws DomainError as `priceItems`, `requireSold`, `requireEligible`, `requireGateway` and `paymentTermsOf`
 */
export function planOrder(
  {
    event,
    user,
    sessionVersion,
    guest,
    code,
    offer,
    sellers = [],
    queueTicket,
    gateway,
    isChainConnected,
    network,
  }: Sale,
  request: OrderRequest,
  { reference, now, shard }: { reference: string; now: number; shard: number },
): OrderPlan {
  const price = priceItems(event, request, code, now);
  requireSold(event, price.items, offer, request.offerId ?? undefined);
  const isMoreThanOffered = hasUnoffered(event, price.items, offer);
  if (isMoreThanOffered) requireTurn(event, queueTicket, user.id, now);
  requireEligible(event, user);
  const { paymentMethod } = request;
  const givenAnswers = request.answers ?? [];
  requireValidAnswers(event.questions ?? [], price.items, givenAnswers, event.questionsWhen === 'order');
  const isFree = price.total === 0n;
  const gatewayName = gatewayOf(request);
  if (gatewayName && !isFree) requireGateway(gateway, event.currency, price.total);
  const isPaidOnChain = paymentMethod === 'CRYPTO' && !isFree;
  // They change hands when a gateway reports the payment.
  const backing = offer && takeListed(offer, sellers, price.items, hashBuyer(user.email));
  if (backing?.backedBy && (isFree || isPaidOnChain))
    throw invalid('The tickets of this offer are paid at a gateway. Leave out a code that makes them free.');
  const chainTerms = isPaidOnChain
    ? paymentTermsOf(event.chainId, event.currency, isChainConnected)
    : undefined;
  const maxOpenOrders = isFree ? undefined : guest || isQueued(event, now) ? 1 : maximumOpenOrders();
  if (!isFree && network && !user.emailVerified) requireUnpaused(network.item, now);
  const countedOpen = [
    ...(maxOpenOrders === undefined ? [] : [guest ? ('guest' as const) : ('event' as const)]),
    ...(chainTerms ? ['crypto' as const] : []),
  ];
  const holdMilliseconds = Number(optionalSetting('HOLD_MINUTES') ?? 15) * 60_000;
  const createdAt = new Date(now).toISOString();
  const order: Order = {
    id: orderIdOf(reference) as string,
    userId: user.id,
    ...(sessionVersion && { sessionVersion }),
    // Anybody can take free tickets as a guest with another person's address: they count for guests only.
    buyer: guest && isFree ? user.id : hashBuyer(user.email),
    ...(guest && { guestVersion: guest.version }),
    ...(request.customer?.walletAddress && { wallet: request.customer.walletAddress }),
    eventId: event.id,
    ...(event.seller && { sellerVersion: event.formerSellers.length }),
    ...(event.returns && { returns: { ...event.returns, until: returnsEndAt(event.returns, event) } }),
    language: request.language ?? event.language,
    ...(event.hasWebhooks && { hasWebhooks: true }),
    ...(givenAnswers.length > 0 && { hasAnswers: true }),
    items: price.items,
    ...sumItems(price.items),
    ...(!isFree && { description: describeItems(event, price.items) }),
    currency: event.currency,
    ...(code && { redemption: toRedemption(code, { countedCode: code }) }),
    ...(offer && { takenOffer: { id: offer.offer.id, tierId: offer.tierId } }),
    ...(backing?.backedBy && { backedBy: backing.backedBy }),
    totalAmount: price.total,
    ...(price.organizerFee && { organizerFee: price.organizerFee }),
    paymentMethod,
    ...(gatewayName && { gateway: gatewayName }),
    reference,
    ...(chainTerms && { chainTerms }),
    ...(countedOpen.length > 0 && { countedOpen }),
    ...(!isFree && network && !user.emailVerified && { network: network.id }),
    ...(isFree
      ? { paymentStatus: 'COMPLETED', paymentTxId: 'free', fulfilmentStatus: 'queued', queuedAt: createdAt }
      : { paymentStatus: 'PENDING', fulfilmentStatus: 'none' }),
    customerEmail: request.customerEmail ?? user.email,
    customerName: request.customer?.name ?? request.customerName ?? user.name,
    holdsInventory: true,
    shard,
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(now + holdMilliseconds).toISOString(),
  };
  return {
    event,
    order,
    writes: [
      insertOrder(order),
      ...(guest?.writes ?? []),
      ...(givenAnswers.length > 0 ? [putAnswers(order.id, givenAnswers, 0)] : []),
      ...countOpenCryptoOrder(order),
      ...(code ? countUse(code, price.discount, event.currency) : []),
      ...(offer ? transitionEntry(offer, transition(entryLifecycle, 'order'), createdAt) : []),
      ...(backing?.writes ?? []),
    ],
    ...(offer && {
      takenOver: [{ tierId: offer.tierId, quantity: heldByOffer(offer) + (order.backedBy?.quantity ?? 0) }],
    }),
    limits: {
      maxOpenOrders,
      isUnpaidGuest: guest !== undefined && !isFree,
      maxPerCode: code?.maxPerUser,
      refusesPausedAt:
        isFree || !isMoreThanOffered || !optionalSetting('HOLD_PAUSE_SECONDS') ? undefined : now,
    },
  };
}

/**
 * Takes the listed seats of an offer that an order needs besides the tickets that the offer holds. The others are listed again.
 * @throws DomainError 409 for seats that are no longer listed, and the buyer's own
 */
function takeListed(
  entry: OfferedEntry,
  sellers: readonly Order[],
  items: readonly TierQuantity[],
  buyer: string,
): { backedBy: Backing | undefined; writes: Write[] } {
  const { offer, userId, tierId } = entry;
  const ordered = items.find((item) => item.tierId === tierId)?.quantity ?? 0;
  let missing = Math.max(0, ordered - heldByOffer(entry));
  const chosen = sellers.map((seller): ChosenSeats => {
    const listings = listingsOf(seller, offer.id).slice(0, missing);
    missing -= listings.length;
    return { seller, listings };
  });
  const taken = chosen.filter(({ listings }) => listings.length > 0);
  if (missing > 0 || taken.some(({ seller }) => seller.buyer === buyer)) throw offerEnded();
  return {
    backedBy: toBacking(taken),
    writes: chosen.flatMap(({ seller, listings }) => backOffer(seller, listings, { id: offer.id, userId })),
  };
}

/**
 * Refuses tickets that are for people on a waiting list, unless the order takes an offer of them.
 * @param offerId the offer that the request names
 * @throws DomainError 409, and 400 for more tickets than offered
 */
function requireSold(
  event: Event,
  items: readonly TierQuantity[],
  offer: OfferedEntry | undefined,
  offerId: string | undefined,
): void {
  const offeredItem = items.find(({ tierId }) => tierId === offer?.tierId);
  if (offerId !== undefined && !offeredItem) throw offerEnded();
  if (offer && offeredItem && offeredItem.quantity > offer.quantity)
    throw invalid(`The offer is for ${offer.quantity} tickets`);
  const refused = event.tiers.find(
    (tier) =>
      tier.id !== offer?.tierId && sellsToList(event, tier) && items.some(({ tierId }) => tierId === tier.id),
  );
  if (refused)
    throw aboutTier(refused.id, conflict('waiting-list', 'Sold out. You can join the waiting list'));
}

/** @throws DomainError 403 for a buyer without KYC or a confirmed address, where the event or the service requires it */
export function requireEligible(event: Event, user: User): void {
  requireVerifiedIdentity(event, user);
  if (optionalSetting('ORDERS_NEED_VERIFIED_EMAIL') === 'true' && !user.emailVerified) {
    throw addressNotConfirmed();
  }
}

/**
 * Returns whether an order has other tickets than those of an offer and the add-ons to them. An offer of the waiting list is a
 * turn of its own, and can be taken during a pause.
 */
function hasUnoffered(
  event: Event,
  items: readonly TierQuantity[],
  offer: OfferedEntry | undefined,
): boolean {
  const others = event.tiers.filter((tier) => tier.id !== offer?.tierId && !isAddOn(tier));
  return items.some(({ tierId }) => others.some(({ id }) => id === tierId));
}

/** How long an admitted person can order, in milliseconds. */
export const turnMilliseconds = () => Number(optionalSetting('QUEUE_TURN_MINUTES') ?? 10) * 60_000;

/**
 * Requires that it is the buyer's turn, while the event has a queue.
 * @param ticket the verified ticket of the request
 * @param now epoch milliseconds
 * @throws DomainError 403 without a ticket of this buyer and event, 409 before the turn, 410 after it
 */
export function requireTurn(
  event: Event,
  ticket: QueueTicket | undefined,
  userId: string,
  now: number,
): void {
  if (!isQueued(event, now)) return;
  if (ticket?.eventId !== event.id || ticket.userId !== userId) {
    throw forbidden('Join the queue of this event to order', 'queue-required');
  }
  const { state } = turnOf(event, ticket, turnMilliseconds(), now);
  if (state === 'over') throw gone('turn-over', 'Your time to order has ended');
  if (state === 'admitted') return;
  const { number } = ticket;
  const ahead = number && number - admittedUpTo(event.queueState?.rates ?? [], now) - 1;
  const position = ahead === undefined ? 'The numbers are not drawn yet' : `${ahead} people are before you`;
  const refusal = conflict('not-your-turn', `It is not your turn yet. ${position}`);
  refusal.position = ahead;
  throw refusal;
}

/** Returns the name of the gateway that a request is paid at; undefined for crypto. */
export function gatewayOf({ paymentMethod, gateway }: OrderRequest): GatewayName | undefined {
  if (paymentMethod !== 'FIAT') return undefined;
  const defaultName = optionalSetting('DEFAULT_GATEWAY');
  return gateway ?? gatewayNames.find((name) => name === defaultName) ?? 'gateway-a';
}

/** @throws DomainError 503 for a gateway that is not configured, 400 for a currency or an amount that it refuses */
export function requireGateway(
  gateway: Gateway | undefined,
  currency: Currency,
  totalAmount: bigint,
): asserts gateway is Gateway {
  if (!gateway)
    throw new DomainError('unavailable', 'gateway-not-configured', 'This way of paying is not available');
  if (!gateway.supports(currency, totalAmount)) {
    throw invalid(`This way of paying does not accept this amount of ${currency}`, 'currency-not-supported');
  }
}

/**
 * Returns the payment terms of a currency on a chain.
 * @throws DomainError 400 for a currency that is neither the chain's own coin nor a token accepted there, 503 when the
 * wallet for payments or the chain's endpoints are not configured, and for a chain that takes no payments
 */
export function paymentTermsOf(chainId: number, currency: Currency, isConnected: boolean): ChainTerms {
  const token = findPaymentToken(chainId, currency);
  if (token === undefined) {
    throw invalid(`${currency} can't be paid on chain ${chainId}`, 'currency-not-supported');
  }
  const to = optionalSetting('TREASURY_ADDRESS');
  if (!to || !isConnected || !isPaymentChain(chainId)) {
    throw new DomainError('unavailable', 'crypto-not-configured', `Chain ${chainId} is not available`);
  }
  return { chainId, to, token };
}

/** Returns how many open orders a user may have for one event; undefined without a limit. */
function maximumOpenOrders(): number | undefined {
  const setting = optionalSetting('OPEN_ORDERS_PER_USER');
  return setting === undefined ? undefined : Number(setting);
}
