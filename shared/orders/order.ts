import * as z from 'zod';
import { type Event, returnPolicy, tierNameOf } from '../catalog/events/event.ts';
import { countTickets, type OpenCount, type TierQuantity } from '../catalog/inventory/inventory.ts';
import { backing } from '../catalog/waiting-list/entry.ts';
import { deriveId, ownerMark, randomCode } from '../core/ids.ts';
import { divideByShares, subtotal, toDecimal } from '../core/money.ts';
import { currency, gatewayNames, languages, minorUnits } from '../core/schemas.ts';
import type { SoldOrder } from '../money/ledger/ledger.ts';

export const paymentStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The progress of an order's tickets; see lifecycle.ts. */
export const fulfilmentStatuses = [
  'none',
  'queued',
  'minting',
  'minted',
  'reissuing',
  'not-needed',
  'failed',
  'refund-due',
] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

/** The progress of a refund; see lifecycle.ts. An order that is not refunded has no `refund`. */
export const refundStatuses = ['pending', 'done', 'failed', 'manual'] as const;

export const failureReasons = [
  'expired',
  'cancelled',
  'payment-failed',
  'gateway-failed',
  'event-cancelled',
  /** The tickets were another order's returned ones, and their holder has kept them. */
  'listing-ended',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/**
 * The reasons for which an order has no tickets on the chain, or its payment is refunded. Clients depend on the meaning
 * of each code.
 */
export const fulfilmentReasons = [
  'chain-not-configured',
  'contract-not-authorized',
  /** The contract's bytecode is not that of the ticket contract. */
  'contract-unknown',
  'contract-refused',
  'too-much-gas',
  /** The transaction was mined and minted nothing. */
  'not-minted',
  /** The contract reports a different number of tickets, or another wallet. */
  'wrong-mint',
  /** Every node refused the transaction. */
  'transaction-invalid',
  /** The tickets stay in the wallet they were minted to. */
  'not-reissued',
  'event-cancelled',
  'refunded',
  'sold-out',
  'too-few-left',
  'tier-limit',
  'wallet-limit',
  /** The tickets were no longer sold, or no longer at the order's price. */
  'not-on-sale',
  'sale-ended',
  'code-used-up',
  'discount-expired',
  'kyc-required',
  /** Any other reason; the message explains it. */
  'other',
] as const;
export type FulfilmentReason = (typeof fulfilmentReasons)[number];

/** The sentences of reasons for which an order stores no message. */
export const reasonSentences: Partial<Record<FulfilmentReason, string>> = {
  'event-cancelled': 'The event was cancelled',
  refunded: 'The order was refunded',
  'sold-out': 'The tickets were sold out when the payment arrived',
  'too-few-left': 'Too few tickets were left when the payment arrived',
  'tier-limit': 'The limit of these tickets per person was reached when the payment arrived',
  'wallet-limit': 'The limit of tickets per person was reached when the payment arrived',
  'not-on-sale': 'The tickets were no longer on sale on the terms of the order when the payment arrived',
  'sale-ended': 'The sale had ended when the payment arrived',
  'code-used-up': 'The discount code had been used up when the payment arrived',
  'discount-expired': 'The discount code was no longer valid when the payment arrived',
  'kyc-required': 'The event requires a verified identity, which was missing when the payment arrived',
};

/** The maximum number of tickets of one order: one transaction mints them. */
export const maximumOrderTickets = 500;

/** The destination of a payment on a chain. */
const chainTerms = z.object({
  chainId: z.number(),
  /** The platform's wallet. */
  to: z.string(),
  /** The contract of the token to pay in; null for the chain's own coin. */
  token: z.string().nullable(),
});
export type ChainTerms = z.infer<typeof chainTerms>;

/** `whole`: all that is left. `goodwill`: money without seats. */
export const refundKinds = ['seats', 'goodwill', 'whole'] as const;

/** The number of an invoice or a credit note in the sequence of its organizer, and its date, ISO 8601 in UTC. */
const invoiceNumber = z.object({ number: z.number(), at: z.string() });

/** A refund of an order's payment, or of a part. The tickets, the inventory and the ledger are updated when it begins. */
const refund = z.object({
  status: z.enum(refundStatuses),
  kind: z.enum(refundKinds).default('whole'),
  /** The numbers of its seats; absent for all seats of the order, and for goodwill. */
  seats: z.array(z.number()).optional(),
  /** What goes back to the buyer, in minor units of the order's currency. */
  amount: minorUnits,
  /** What the organizer keeps of the seats' worth, in minor units; absent for 0. */
  kept: minorUnits.optional(),
  /** What the seats were worth beyond what was left of the payment, in minor units; absent for 0. */
  missing: minorUnits.optional(),
  /** What had been paid beyond the total when it began, for all seats, in minor units; absent for 0, and for goodwill. */
  excess: minorUnits.optional(),
  /**
   * Whether it also gives back what the organizer kept of earlier refunds: the provider returned the whole payment, or the
   * buyer disputes it.
   */
  includesKept: z.boolean().optional(),
  /** Whether what the organizer kept of the order has gone back later, to a buyer who had returned all seats. */
  isKeptReturned: z.boolean().optional(),
  /** Identifies the call with an Idempotency-Key that requested it. */
  requestId: z.string().optional(),
  /** The order that its seats were sold to. */
  soldTo: z.string().optional(),
  /** The provider's id, once the money went back; absent where nothing was left to request. */
  providerId: z.string().optional(),
  /** The provider's ids of the requests that it has accepted since the refund entered its status; all but the last failed. */
  acceptedIds: z.array(z.string()).optional(),
  /**
   * The number of failed calls to the gateway since the refund entered its status. When the gateway accepts it, the number of
   * requests that were accepted before and failed.
   */
  attempts: z.number(),
  /** When to continue a pending refund, ISO 8601 in UTC. */
  dueAt: z.string(),
  /** When it entered its current status, ISO 8601 in UTC. */
  at: z.string(),
  /** Whether its money waits until its tokens are burned, also when the event's entry is changed meanwhile. */
  waitsForTokens: z.boolean().optional(),
  /** Whether it failed since one of its tokens was sold before it was burned: then nothing is owed. */
  isTokenSold: z.boolean().optional(),
  /** The transfer that an operator sent by hand. */
  transactionId: z.string().optional(),
  /** Absent where the order has no invoice, or nothing of it is left. */
  creditNote: invoiceNumber.optional(),
});
export type Refund = z.infer<typeof refund>;

/** A seat that its buyer returns when somebody on the waiting list takes it. Until then it is valid. */
const listing = z.object({
  number: z.number(),
  /** The return that listed it. */
  returnId: z.string(),
  /** The offer of the waiting list that it backs, then the order that takes the offer; with the person of the offer. */
  offer: z.object({ id: z.string(), userId: z.string() }).optional(),
});
export type Listing = z.infer<typeof listing>;

/**
 * The maximum number of listed seats of one order, and of one offer, which may have seats of up to four orders: with all other
 * writes they fit in the transaction that sells them.
 */
export const maximumListings = 10;
export const maximumSellers = 4;

/** The tickets or add-ons of one tier in an order, as they were bought. */
export interface OrderItem {
  tierId: string;
  quantity: number;
  /** The price of one ticket before the discount, in minor units. */
  unitPrice: bigint;
  /** The item's part of the order's discount; absent for 0. */
  discount?: bigint;
  /** The tax that the price includes, in percent. */
  taxPercent?: number;
  /** Whether the tier is an add-on. Add-ons come after all tickets. */
  isAddOn?: boolean;
}

/**
 * Formats an item as orders store it: `7q2wk9xd:2:5000:::addon`. It is short, since most orders stay below 1 KB, above
 * which each write costs double.
 */
export function formatItem({
  tierId,
  quantity,
  unitPrice,
  discount = 0n,
  taxPercent,
  isAddOn,
}: OrderItem): string {
  const parts = [tierId, quantity, unitPrice, discount || '', taxPercent ?? '', isAddOn ? 'addon' : ''];
  return parts.join(':').replace(/:+$/, '');
}

const storedItem = z
  .string()
  .regex(/^\w+:\d+:\d+(:\d*(:[\d.]*(:addon)?)?)?$/)
  .transform((text): OrderItem => {
    const [tierId = '', quantity, unitPrice = '', discount, taxPercent, kind] = text.split(':');
    return {
      tierId,
      quantity: Number(quantity),
      unitPrice: BigInt(unitPrice),
      ...(discount && { discount: BigInt(discount) }),
      ...(taxPercent && { taxPercent: Number(taxPercent) }),
      ...(kind && { isAddOn: true }),
    };
  });

/** The maximum number of items of one order. */
export const maximumOrderItems = 10;

/** The code that an order was placed with. */
const redemption = z.object({
  code: z.string(),
  /** The version of the code at which the order was priced. */
  version: z.number(),
  /**
   * Whether the order counts towards the code's limit while it holds its tickets. Set when the code had a limit at the
   * reservation.
   */
  isCounted: z.boolean().optional(),
  /** Whether the order is counted beyond the limit, because it was paid after the code was used up. */
  isOverLimit: z.boolean().optional(),
});

/**
 * The current tokens of an order whose tickets were burned and minted again. Each issue has its own order key in the
 * contract, so the contract mints it once.
 */
const issue = z.object({
  /** The number of the issue, from 2 on. */
  number: z.number(),
  /** The wallet that the tokens are minted to, checksummed. */
  wallet: z.string(),
  /**
   * The account that burned the previous issue and mints this one. Its nonces are mined in order, so the two issues are
   * never valid together.
   */
  signer: z.string(),
  /**
   * The numbers of its seats; absent for all seats of the order. The tokens of the other seats were transferred and
   * could not be burned.
   */
  seats: z.array(z.number()).optional(),
  /** ISO 8601 in UTC. */
  at: z.string(),
});

/** An order as it is stored. Amounts are minor units of `currency`, times ISO 8601 in UTC. */
const storedOrder = z.object({
  id: z.string(),
  userId: z.string(),
  /**
   * By what tickets and codes are counted: the hash of the buyer's address (see `hashBuyer`), or the user's id for a free
   * order of a guest, and once the person is erased.
   */
  buyer: z.string(),
  /** The version of the guest's access tokens when the order was placed; absent for the orders of accounts. */
  guestVersion: z.number().optional(),
  /** Which of the event's sellers sold the order: see `sellerOf`. Absent without one. */
  sellerVersion: z.number().optional(),
  /** The offer of a waiting list that it took over its tickets from. */
  takenOffer: z.object({ id: z.string(), tierId: z.string() }).optional(),
  /**
   * Which of the tickets of that tier are listed seats, while the order is unpaid. They are sold to the other orders until it
   * is paid.
   */
  backedBy: backing.optional(),
  /** How its tickets may be returned; absent: not at all. */
  returns: returnPolicy.optional(),
  /** The language of the order's mails. */
  language: z.enum(languages).default('en'),
  /** Whether the organizer had webhook endpoints when the order was placed, or when it was posted. */
  hasWebhooks: z.boolean().optional(),
  /** Whether there are answers to the event's questions. */
  hasAnswers: z.boolean().optional(),
  /** The wallet that the tickets are minted to; absent for the wallet of the account. */
  wallet: z.string().optional(),
  eventId: z.string(),
  /**
   * Each item has another tier. The seats are numbered through the items: the first item has the numbers from 1 to its
   * quantity, the next item those that follow.
   */
  items: z.array(storedItem).min(1),
  /**
   * The description that the gateway shows the buyer. Stored until the checkout exists, so a retry sends the same
   * text.
   */
  description: z.string().optional(),
  currency,
  redemption: redemption.optional(),
  /** The platform's fee where the organizer pays it: a part of the subtotal. Absent where the buyer pays it on top. */
  organizerFee: minorUnits.optional(),
  /** What the buyer pays: the subtotal and the fee. */
  totalAmount: minorUnits,
  paymentMethod: z.enum(['CRYPTO', 'FIAT']),
  gateway: z.enum(gatewayNames).optional(),
  reference: z.string(),
  /** The address of the checkout; absent once the order is paid. */
  checkoutUrl: z.string().optional(),
  /** The provider's own id of the checkout, where payments can't be found by the reference. */
  checkoutSession: z.string().optional(),
  /** The payment terms of a crypto order. */
  chainTerms: chainTerms.optional(),
  /** The transaction that the buyer submitted as the payment; absent once it is final. */
  cryptoTxHash: z.string().optional(),
  /**
   * Further transactions that the buyer submitted, and that may still pay: for example one that the wallet sent again with
   * a higher fee.
   */
  otherTxHashes: z.array(z.string()).optional(),
  /** When the buyer submitted the last transaction. */
  cryptoTxAt: z.string().optional(),
  /** Which counters of open orders include the order, until it is paid or fails. */
  countedOpen: z.array(z.enum(['event', 'guest', 'crypto'])).optional(),
  /** The network that the order came from, hashed, while it is unpaid: see `hashNetwork`. */
  network: z.string().optional(),
  paymentStatus: z.enum(paymentStatuses),
  paymentTxId: z.string().optional(),
  /** The amount paid, where the gateway reports it. An excess is returned with a refund. */
  paidAmount: minorUnits.optional(),
  /**
   * The transactions that carry the order's reference and did not complete it, with what they paid: too little, or besides
   * another payment. A refund returns them too, except those to another address, which have `unknownAmount`.
   */
  otherPayments: z.record(z.string(), minorUnits).optional(),
  /** What an operator has returned of the payments beyond the total, apart from refunds. */
  returnedExcess: minorUnits.optional(),
  failureReason: z.enum(failureReasons).optional(),
  /** When the gateway last declined an attempt to pay, ISO 8601 in UTC. */
  declinedAt: z.string().optional(),
  /** Why an operator has to review the payment. */
  paymentReview: z.string().optional(),
  /**
   * The disputes that are open at the gateway, by its id, with the time of their first report, ISO 8601 in UTC. While
   * there are any, the ledger reserves the credit of the order.
   */
  openDisputes: z.record(z.string(), z.string()).optional(),
  /** The gateway's ids of the disputes that the merchant has won. Reports of their opening may still arrive. */
  wonDisputes: z.array(z.string()).optional(),
  /**
   * A return that the gateway reported while the order was unpaid. Settling then asks the gateway what went back.
   */
  reportedReturn: z.object({ isDispute: z.boolean(), disputeId: z.string().optional() }).optional(),
  /** The version of the buyer's session that ordered; absent for 0, and for guests. */
  sessionVersion: z.number().optional(),
  customerEmail: z.string(),
  customerName: z.string(),
  /** Whether the order's tickets are reserved in the inventory. */
  holdsInventory: z.boolean(),
  /** The shard of the tier's inventory that the tickets return to. */
  shard: z.number().default(0),
  fulfilmentStatus: z.enum(fulfilmentStatuses),
  fulfilmentReason: z.enum(fulfilmentReasons).optional(),
  /** The reason as a sentence for the organizer. */
  fulfilmentMessage: z.string().optional(),
  /** Whether the order is posted to the ledger and its buyer notified. */
  isPosted: z.boolean().optional(),
  /** Whether the posting credited the organizer. False for an order that was due for a refund before it was posted. */
  isCredited: z.boolean().optional(),
  /** Set by the posting, where the event has a seller. */
  invoice: invoiceNumber.optional(),
  /** The settlement batch of its event that makes the credit available; absent when it is available at once. */
  settlementBatch: z.number().optional(),
  /** The burns of the tokens that its tickets replace. They are minted once all are done. */
  mintAfter: z.array(z.string()).optional(),
  /** The nonce that mints the tickets. The order stays bound to it until the nonce is used. */
  mint: z.object({ chainId: z.number(), signer: z.string(), nonce: z.number() }).optional(),
  /**
   * Whether the order is minted in a transaction of its own: after a shared transaction was reverted, for a
   * reissue, and after the burn of the tokens that its tickets replace.
   */
  unbatched: z.boolean().optional(),
  blockchainTxHash: z.string().optional(),
  /** The transaction that is expected to mint the tickets; once it is final, `blockchainTxHash` holds it. */
  mintTransactionHash: z.string().optional(),
  /** Absent until the tickets are reissued. */
  issue: issue.optional(),
  /** When the tickets were reissued at the request of the buyer, who may do so once. */
  buyerReissuedAt: z.string().optional(),
  /** When the order was paid, or last queued to be minted. */
  queuedAt: z.string().optional(),
  mintingAt: z.string().optional(),
  mintedAt: z.string().optional(),
  /** The number of its seats that were admitted; absent for 0. */
  admitted: z.number().optional(),
  /** The number of admissions that were undone: with it, nobody takes another admission for the one that was undone. Absent for 0. */
  admissionsUndone: z.number().optional(),
  /** The number of transfers and claims of its seats; absent for 0. */
  transferred: z.number().optional(),
  /** The numbers of the seats that were refunded while others stayed valid. */
  returned: z.array(z.number()).optional(),
  /** The seats that are listed for the waiting list; absent until one is. */
  listings: z.array(listing).optional(),
  /** The refunds that left the order valid, in the sequence in which they began. One of them is sent after the other. */
  refunds: z.array(refund).optional(),
  /** The refund of all that was left. From then on the order has no tickets. */
  refund: refund.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
});
type StoredOrder = z.infer<typeof storedOrder>;

/** An order with the sums of its items. */
export interface Order extends StoredOrder {
  /** The number of seats. */
  quantity: number;
  /** The price of the items after the discount, in minor units. */
  subtotal: bigint;
  /** The discount of the code, in minor units; 0 without one. */
  discount: bigint;
}

export function toOrder(item: unknown): Order {
  const order = storedOrder.parse(item);
  return { ...order, ...sumItems(order.items) };
}

/** Returns whether a paid order has an invoice: its event had a seller when it was placed, and it was not free. */
export function isInvoiced({
  sellerVersion,
  totalAmount,
}: Pick<Order, 'sellerVersion' | 'totalAmount'>): boolean {
  return sellerVersion !== undefined && totalAmount > 0n;
}

/** Sums the items of an order. */
export function sumItems(items: readonly OrderItem[]): Pick<Order, 'quantity' | 'subtotal' | 'discount'> {
  return {
    quantity: items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotal: items.reduce((sum, item) => sum + priceOfItem(item), 0n),
    discount: items.reduce((sum, { discount = 0n }) => sum + discount, 0n),
  };
}

/** Returns the amount that the buyer paid, including an excess that was not returned. */
export function paidAmountOf({
  paidAmount,
  totalAmount,
  otherPayments = {},
  returnedExcess = 0n,
}: Order): bigint {
  const paid = (paidAmount ?? totalAmount) - returnedExcess;
  return Object.values(otherPayments).reduce((sum, amount) => sum + amount, paid);
}

/** What a transaction to another address paid: a contract wallet may have passed on any amount, or another coin. */
export const unknownAmount = 0n;

/** Explains the payments besides the one that completed an order; undefined for nothing to do about them. */
export function reviewOtherPayments(order: Order): string | undefined {
  const { currency, totalAmount, otherPayments } = order;
  if (!otherPayments) return undefined;
  const excess = paidAmountOf(order) - totalAmount;
  const payments = Object.entries(otherPayments);
  const known = payments
    .filter(([, amount]) => amount !== unknownAmount)
    .map(([hash, amount]) => `${toDecimal(amount, currency)} ${currency} by ${hash}`);
  const unknown = payments.filter(([, amount]) => amount === unknownAmount).map(([hash]) => hash);
  const sentences = [
    excess > 0n &&
      known.length > 0 &&
      `Also paid ${known.join(', ')}: ${toDecimal(excess, currency)} ${currency} too much. Before you return it, end the review`,
    unknown.length > 0 && `Look up what was paid to another address by ${unknown.join(', ')}`,
  ];
  return sentences.filter(Boolean).join('. ') || undefined;
}

/** What a gateway reports about the return of a payment. */
export interface ReturnReport {
  isDispute: boolean;
  disputeId?: string;
  /** Whether the dispute has ended and the buyer gets no money by it. */
  isDisputeWon?: boolean;
}

/** Stands for the id of a dispute that its report does not contain. */
export const unknownDispute = 'unknown';

export const disputedPayment = 'The buyer disputes the payment';

/**
 * Explains why an operator has to review an order whose payment was not returned in full; undefined for no reason.
 * @param returnedAmount minor units of the order's currency
 */
export function findReviewReason(
  { refund, currency, wonDisputes }: Order,
  { isDispute, disputeId, isDisputeWon }: ReturnReport,
  returnedAmount: bigint,
): string | undefined {
  const wasDisputeWon = disputeId !== undefined && wonDisputes?.includes(disputeId);
  if (isDispute && !isDisputeWon && !wasDisputeWon) return disputedPayment;
  if (isDispute && refund?.status === 'done') return 'The dispute was won after the order was refunded';
  return returnedAmount > 0n
    ? `${returnedAmount} minor units of ${currency} went back to the buyer`
    : undefined;
}

/**
 * Returns the tenant of an order, for the queues' fair scheduling: the part of the event's id that identifies the
 * organizer. An older event id has no such part, so its event is a tenant of its own. The organizer's id is not stored
 * in the order: most items would then exceed 1 KB, and each of their writes would cost double.
 */
export function tenantOf({ eventId }: Pick<Order, 'eventId'>): string {
  return ownerMark(eventId);
}

/**
 * Creates a payment reference: `BOX`, the end of the event's id, the time in milliseconds, a random suffix. The order's
 * id is derived from it, so a webhook finds its order by one strongly consistent read, without an index.
 */
export function newReference(eventId: string, now: number): string {
  return `BOX-${eventId.slice(-6).toUpperCase()}-${now}-${randomCode(8)}`;
}

/** Returns the id of the order of a reference; undefined for any other text. */
export function orderIdOf(reference: string): string | undefined {
  const time = /^BOX-[A-Z0-9]{1,6}-(\d{13})-[A-Z0-9]{8}$/.exec(reference)?.[1];
  return time === undefined ? undefined : deriveId(reference, Number(time));
}

/** Encodes a payment reference as hex, to append to a transaction's calldata. */
export function encodeReference(reference: string): string {
  return `0x${Buffer.from(reference).toString('hex')}`;
}

/** Returns the number of the current issue of an order's tokens: 1 for the first, one more after each reissue. */
export function issueNumber({ issue }: Pick<Order, 'issue'>): number {
  return issue?.number ?? 1;
}

/**
 * Returns whether minting the order would let the buyer take back a seat that was transferred: the event admits by
 * token, so the buyer could claim the seat with its token. A reissue contains only seats that were not transferred.
 */
export function wouldReturnSeat(
  { issue, transferred }: Pick<Order, 'issue' | 'transferred'>,
  { entry }: Pick<Event, 'entry'>,
): boolean {
  return entry === 'token' && transferred !== undefined && !issue;
}

/** Returns the numbers of the seats in the current issue, in the order of the tokens' ids. Add-ons have no tokens. */
export function seatNumbersOfIssue({ issue, items }: Pick<Order, 'issue' | 'items'>): number[] {
  return issue?.seats ?? Array.from({ length: countTickets(items) }, (_, index) => index + 1);
}

/** Returns the wallet that an order's tickets are minted to; null while there is none. */
export function walletOf(
  { issue, wallet }: Pick<Order, 'issue' | 'wallet'>,
  buyer: { walletAddress: string | null },
): string | null {
  return issue?.wallet ?? wallet ?? buyer.walletAddress;
}

/** Returns the tier of an order's first item. */
export function firstTierId({ items: [first] }: Pick<Order, 'items'>): string {
  return first?.tierId ?? '';
}

/** Describes an order's items: `Floor` with one tier, `2 × Adult, 1 × Child` with several. */
export function describeTiers(event: Event, { items }: Pick<Order, 'items'>): string {
  if (items.length === 1) return tierNameOf(event, { tierId: firstTierId({ items }) });
  return items.map((item) => `${item.quantity} × ${tierNameOf(event, item)}`).join(', ');
}

/** Returns the price of an item after its discount, in minor units. */
export function priceOfItem({ unitPrice, quantity, discount = 0n }: OrderItem): bigint {
  return subtotal(unitPrice, quantity) - discount;
}

/** Returns the items of an order, each with the number of its first seat. */
export function numberItems({ items }: Pick<Order, 'items'>): (OrderItem & { firstNumber: number })[] {
  let next = 1;
  return items.map((item) => {
    const firstNumber = next;
    next += item.quantity;
    return { ...item, firstNumber };
  });
}

/** Returns the item that a seat belongs to. @throws Error for a number that the order does not have */
export function itemOfSeat(order: Pick<Order, 'id' | 'items'>, number: number): OrderItem {
  const item = numberItems(order).findLast(({ firstNumber }) => firstNumber <= number);
  if (!item) throw new Error(`Order ${order.id} has no seat ${number}`);
  return item;
}

/** Returns the numbers of the seats that an order still has, in ascending order. */
export function seatsOf({ quantity, returned = [] }: Pick<Order, 'quantity' | 'returned'>): number[] {
  return Array.from({ length: quantity }, (_, index) => index + 1).filter(
    (number) => !returned.includes(number),
  );
}

/** Returns the items of an order with only some of its seats. */
export function itemsOfSeats(order: Pick<Order, 'items'>, seats: readonly number[]): OrderItem[] {
  return numberItems(order).flatMap(({ firstNumber, ...item }) => {
    const quantity = seats.filter(
      (number) => number >= firstNumber && number < firstNumber + item.quantity,
    ).length;
    return quantity > 0 ? [{ ...item, quantity }] : [];
  });
}

/** Returns how an order is counted as unpaid. */
export function openCountOf({
  paymentStatus,
  countedOpen,
}: Pick<Order, 'paymentStatus' | 'countedOpen'>): OpenCount | undefined {
  if (paymentStatus !== 'PENDING') return undefined;
  return countedOpen?.find((count) => count !== 'crypto');
}

/** Returns the items whose tickets an order still has. */
export function heldItems(order: Pick<Order, 'items' | 'quantity' | 'returned'>): OrderItem[] {
  return order.returned ? itemsOfSeats(order, seatsOf(order)) : order.items;
}

/** Returns the tickets of an unpaid order that are listed seats of others, and not of the inventory. */
export function backedItems({ backedBy, takenOffer }: Order): TierQuantity[] {
  return backedBy && takenOffer ? [{ tierId: takenOffer.tierId, quantity: backedBy.quantity }] : [];
}

/** Returns the listed seats of an order that back an offer, or the order that took it. */
export function listingsOf(
  { listings = [] }: { listings?: readonly Listing[] | undefined },
  offerId: string | undefined,
): Listing[] {
  return listings.filter(({ offer }) => offer !== undefined && offer.id === offerId);
}

/** Returns the change that removes seats from an order's listed ones; none when there are no such seats. */
export function unlist(
  { listings }: Pick<Order, 'listings'>,
  isRemoved: (listing: Listing) => boolean,
): Pick<Order, 'listings'> {
  if (!listings?.some(isRemoved)) return {};
  const remaining = listings.filter((listing) => !isRemoved(listing));
  return { listings: remaining.length > 0 ? remaining : undefined };
}

/**
 * Returns whether listed seats of an order can be sold to others: it is paid and posted, nothing is in progress with its
 * tokens, nobody disputes the payment, and its event is not cancelled and admits by account.
 */
export function canResell(
  { paymentStatus, isPosted, refund, openDisputes, fulfilmentStatus }: Order,
  { status, entry }: Pick<Event, 'status' | 'entry'>,
): boolean {
  const isSettled = paymentStatus === 'COMPLETED' && isPosted === true && !refund && !openDisputes;
  const hasFinalTokens = fulfilmentStatus === 'minted' || fulfilmentStatus === 'not-needed';
  return isSettled && hasFinalTokens && status !== 'CANCELLED' && entry === 'account';
}

/**
 * Returns whether minting an order without tokens would mint one of a seat that was returned: it was sold to somebody else, or
 * the event admits by token, so that the buyer could have the refund and sell the token before it is burned.
 */
export function wouldMintReturned(
  { items, refunds = [], returned = [] }: Pick<Order, 'items' | 'refunds' | 'returned'>,
  { entry }: Pick<Event, 'entry'>,
): boolean {
  const hasReturnedTicket = returned.some((number) => number <= countTickets(items));
  return refunds.some(({ soldTo }) => soldTo !== undefined) || (entry === 'token' && hasReturnedTicket);
}

/** Returns the sum of all refunds, also of pending ones. */
export function refundedAmountOf({ refunds = [], refund }: Pick<Order, 'refunds' | 'refund'>): bigint {
  return refunds.reduce((sum, { amount }) => sum + amount, refund?.amount ?? 0n);
}

/**
 * Returns the ledger's record of an order. It never changes: quantities and amounts are fixed. The fee is divided among
 * the items by their prices.
 */
export function toSoldOrder(order: Order): SoldOrder {
  const { id: orderId, items, totalAmount, redemption, organizerFee = 0n } = order;
  const prices = items.map(priceOfItem);
  const buyerFees = divideByShares(totalAmount - order.subtotal, prices);
  const organizerFees = divideByShares(organizerFee, prices);
  const soldItems = items.map(({ tierId, quantity, discount }, index) => {
    const organizerPart = organizerFees[index] ?? 0n;
    return {
      tierId,
      quantity,
      net: (prices[index] ?? 0n) - organizerPart,
      fee: (buyerFees[index] ?? 0n) + organizerPart,
      ...(discount && { discount }),
    };
  });
  return { orderId, items: soldItems, ...(redemption && { code: redemption.code }) };
}
