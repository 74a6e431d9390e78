import * as z from 'zod';
import {
  type Event,
  returnPolicy,
  seller,
  sellerOf,
  tierKinds,
  tierNameOf,
} from '../catalog/events/event.ts';
import { exponentOf, subtotal, toNumber } from '../core/money.ts';
import {
  address,
  amount,
  currency,
  gatewayNames,
  identifier,
  languages,
  time,
  toView,
  transactionHash,
} from '../core/schemas.ts';
import type { NewOccurrence } from '../messaging/webhooks/webhook.ts';
import {
  encodeReference,
  failureReasons,
  firstTierId,
  fulfilmentReasons,
  fulfilmentStatuses,
  maximumOrderTickets,
  numberItems,
  type Order,
  paidAmountOf,
  paymentStatuses,
  reasonSentences,
  refundedAmountOf,
  refundKinds,
  refundStatuses,
  seatsOf,
} from './order.ts';

export const reference = z.string().meta({ examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'] });
export const checkoutUrl = z.string().meta({
  description: 'The address of the checkout',
  format: 'uri',
  examples: ['https://checkout.gateway.example/7q2wk9xd'],
});

/** The data that the buyer's wallet needs to pay a crypto order. */
export const paymentView = z
  .object({
    chainId: z.int().meta({ examples: [137] }),
    to: address.meta({ description: 'The wallet that must receive the amount' }),
    token: address
      .nullable()
      .meta({ description: 'The contract of the token; null for the chain’s own coin' }),
    symbol: currency,
    decimals: z.int().meta({ description: 'The number of decimals of the currency', examples: [18] }),
    amount: z.string().meta({ description: 'Base units', examples: ['1025000000000000000'] }),
    data: z.string().meta({ description: 'Hex to append to the calldata: it identifies the order' }),
    expiresAt: time.meta({ description: 'When the order, if unpaid, releases its tickets' }),
    transactionHash: transactionHash
      .nullable()
      .meta({ description: 'The transaction that the buyer submitted, while it is checked' }),
  })
  .meta({ id: 'CryptoPayment' });

/** An item of an order. Amounts are in the order's currency. */
export const orderItemView = z
  .object({
    tierId: identifier,
    name: z.string().meta({ description: 'The tier’s current name', examples: ['Floor'] }),
    kind: z.enum(tierKinds),
    quantity: z.int().meta({ examples: [2] }),
    unitPrice: amount.meta({ description: 'The price of one ticket when it was ordered', examples: [50] }),
    subtotal: amount.meta({ description: 'The full price of the item', examples: [100] }),
    discount: amount.meta({ description: 'The item’s part of the discount', examples: [10] }),
    firstNumber: z.int().meta({ description: 'The number of the item’s first seat', examples: [1] }),
  })
  .meta({ id: 'OrderItem' });

/** A refund of an order. */
export const refundView = z
  .object({
    id: z.string().meta({ description: 'Unique in the order', examples: ['1'] }),
    seats: z.array(z.int()).meta({ description: 'The numbers of the refunded seats', examples: [[2]] }),
    amount: amount.meta({ description: 'What goes back to the buyer' }),
    kind: z.enum(refundKinds).meta({
      description: '`goodwill` is money without seats, `whole` all that was left of the order',
    }),
    status: z.enum(refundStatuses),
    at: time,
    creditNoteNumber: z
      .int()
      .nullable()
      .meta({ description: 'The number of its credit note; null without an invoice', examples: [43] }),
  })
  .meta({ id: 'Refund' });

/** What a refund is requested for: seats or an amount; nothing for the whole order. */
export const refundRequest = z.object({
  seats: z
    .array(z.int().min(1))
    .min(1)
    .max(maximumOrderTickets)
    .optional()
    .meta({ description: 'The numbers of the seats to refund', examples: [[2]] }),
  amount: z.union([z.number(), z.string()]).optional().meta({
    description: 'Money without seats, in the currency of the order: all seats stay valid',
  }),
});
export type RefundBody = z.infer<typeof refundRequest>;

const seatNumbers = z.array(z.int().min(1)).min(1).max(maximumOrderTickets);

/** The seats that a buyer returns. */
export const returnRequest = z.object({
  seats: seatNumbers.meta({ description: 'The numbers of the seats to return', examples: [[1]] }),
});

/** The seats of a quote: `1,3`. */
export const quoteQuery = z.object({
  seats: z
    .string()
    .regex(/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/)
    .transform((text) => text.split(',').map(Number))
    .pipe(seatNumbers)
    .meta({ description: 'The numbers of the seats, with commas', examples: ['1,3'] }),
});

const returnAmounts = {
  seats: z.array(z.int()).meta({ examples: [[1]] }),
  refundAmount: amount.meta({ description: 'What goes back to the buyer' }),
  fee: amount.meta({ description: 'What the organizer keeps', examples: [5] }),
};

/** What the return of seats would give back. */
export const returnQuoteView = z
  .object({ ...returnAmounts, currency, until: time.meta({ description: 'The last moment for the return' }) })
  .meta({ id: 'ReturnQuote' });

/** A return of seats by the buyer. */
export const returnView = z
  .object({
    id: z.string().meta({ description: 'That of the order’s refund, or of the listing', examples: ['1'] }),
    ...returnAmounts,
    status: z.enum([...refundStatuses, 'listed']).meta({
      description:
        'The status of the refund. `listed`: the seats stay valid, and are refunded when somebody on the waiting list takes them',
    }),
  })
  .meta({ id: 'Return' });

/** A return whose seats are valid until somebody on the waiting list takes them. */
export const openReturnView = z
  .object({
    id: z.string(),
    seats: returnAmounts.seats,
    status: z
      .enum(['listed', 'offered'])
      .meta({ description: '`offered`: some of the seats are offered to somebody, who may still decline' }),
  })
  .meta({ id: 'OpenReturn' });
export type OpenReturnView = z.infer<typeof openReturnView>;

/** Returns the views of an order's listed seats, by return. */
export function toOpenReturns({ listings = [] }: Pick<Order, 'listings'>): OpenReturnView[] {
  return [...Map.groupBy(listings, ({ returnId }) => returnId)].map(([id, listed]) => ({
    id,
    seats: listed.map(({ number }) => number),
    status: listed.some(({ offer }) => offer) ? 'offered' : 'listed',
  }));
}

export const orderView = z
  .object({
    id: identifier,
    totalAmount: amount.meta({ description: 'The subtotal less the discount, with the fee of 2.5 %' }),
    subtotal: amount.meta({ description: 'The full price of the tickets' }),
    discount: amount.meta({ description: 'The discount of the code', examples: [10] }),
    fee: amount.meta({
      description:
        'What the buyer pays beside the subtotal: 2.5 % of it after the discount; 0 where the organizer pays',
      examples: [2.5],
    }),
    items: z.array(orderItemView).meta({ description: 'The tickets by tier; add-ons come last' }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'The discount code of the order', examples: ['EARLY-BIRD'] }),
    quantity: z.int().meta({ description: 'The sum over all items', examples: [2] }),
    currency,
    paymentMethod: z.enum(['CRYPTO', 'FIAT']),
    paymentStatus: z.enum(paymentStatuses).meta({
      description:
        '`COMPLETED` is paid, also after a refund; `FAILED` was cancelled, declined, or not paid in time',
    }),
    customerEmail: z.string(),
    customerName: z.string(),
    userId: identifier,
    walletAddress: address.nullable().meta({
      description: 'The wallet that the tickets are minted to; null for the wallet of the account',
    }),
    language: z.enum(languages),
    seller: seller.nullable().meta({ description: 'Who sold the tickets, when they were ordered' }),
    invoiceNumber: z
      .int()
      .nullable()
      .meta({
        description:
          'The number of the invoice; null for a free order, one of an event without a seller, and one that was just paid',
        examples: [42],
      }),
    eventId: identifier,
    tierId: identifier.meta({ description: 'The tier of the first item' }),
    gateway: z.enum(gatewayNames).nullable().meta({ description: 'Null for crypto and free orders' }),
    reference: reference.meta({ description: 'Identifies the payment at the gateway and on the chain' }),
    gatewayReferences: z
      .partialRecord(z.enum(gatewayNames), z.string())
      .meta({ description: 'The reference by gateway' }),
    checkoutUrl: checkoutUrl.nullable(),
    payment: paymentView.nullable().meta({ description: 'How to pay a crypto order; null for others' }),
    paidAmount: amount.nullable().meta({
      description: 'The amount that the buyer paid and that a refund returns; null until the order is paid',
    }),
    otherPayments: z.array(z.object({ transactionHash, amount })).meta({
      description:
        'Further payments on the chain, which did not complete the order. An operator returns them, or a refund does. The amount is 0 for a transaction to another address: an operator looks up what it paid',
    }),
    paymentTxId: z.string().nullable().meta({
      description:
        'The gateway’s id of the payment; for a crypto order, the hash of the transaction that paid it',
    }),
    blockchainTxHash: transactionHash
      .nullable()
      .meta({ description: 'The transaction that minted the tickets' }),
    expiresAt: time.meta({ description: 'When the order, if unpaid, releases its tickets' }),
    failureReason: z
      .enum(failureReasons)
      .nullable()
      .meta({ description: 'Why the paymentStatus is `FAILED`' }),
    declinedAt: time.nullable().meta({
      description:
        'When the gateway last declined an attempt to pay. While the order is `PENDING`, the buyer can try again at `checkoutUrl`',
    }),
    paymentReview: z.string().nullable().meta({ description: 'Why an operator has to review the payment' }),
    fulfilment: z
      .object({
        status: z.enum(fulfilmentStatuses).meta({
          description:
            'The status of the tokens. `none` before the payment, `not-needed` without a contract, `refund-due` when the payment has to be returned',
        }),
        reason: z
          .enum(fulfilmentReasons)
          .nullable()
          .meta({ description: 'Why there are no tickets on the chain, or why the payment is refunded' }),
        message: z.string().nullable().meta({ description: 'The reason as a sentence' }),
        transactionHash: transactionHash.nullable(),
        queuedAt: time.nullable(),
        mintingAt: time.nullable(),
        mintedAt: time.nullable(),
        updatedAt: time,
      })
      .meta({ description: 'The steps after the payment: minting the tickets, or returning the payment' }),
    reissue: z
      .object({ walletAddress: address, at: time })
      .nullable()
      .meta({ description: 'The latest reissue: the tickets were minted again, to another wallet' }),
    refund: z
      .object({ status: z.enum(refundStatuses), amount, at: time })
      .nullable()
      .meta({ description: 'The return of the payment to the buyer; null without one' }),
    returns: returnPolicy.nullable().meta({
      description: 'How the buyer may return tickets, as it was at the purchase; null: not at all',
    }),
    openReturns: z.array(openReturnView).meta({
      description: 'The returns that wait for somebody to take their seats, which are valid until then',
    }),
    refunds: z.array(refundView).meta({ description: 'All refunds, in the sequence in which they began' }),
    refundedAmount: amount.meta({ description: 'The sum of all refunds, also of those that are pending' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Order' });
export type OrderView = z.infer<typeof orderView>;

function toPaymentView({ chainTerms, currency, totalAmount, reference, expiresAt, cryptoTxHash }: Order) {
  return (
    chainTerms && {
      ...chainTerms,
      symbol: currency,
      decimals: exponentOf(currency),
      amount: String(totalAmount),
      data: encodeReference(reference),
      expiresAt,
      transactionHash: cryptoTxHash ?? null,
    }
  );
}

function toReasonView({ fulfilmentReason: reason, fulfilmentMessage }: Order) {
  return {
    reason: reason ?? null,
    message: fulfilmentMessage ?? (reason && reasonSentences[reason]) ?? null,
  };
}

/** Returns the views of items. @param event the order's event, for the names of its tiers */
export function toItemViews(
  event: Event | undefined,
  { items, currency }: Pick<Order, 'items' | 'currency'>,
): z.infer<typeof orderItemView>[] {
  return numberItems({ items }).map(({ unitPrice, discount = 0n, isAddOn, ...item }) => ({
    ...item,
    name: (event && tierNameOf(event, item)) ?? '',
    kind: isAddOn ? 'addon' : 'ticket',
    unitPrice: toNumber(unitPrice, currency),
    subtotal: toNumber(subtotal(unitPrice, item.quantity), currency),
    discount: toNumber(discount, currency),
  }));
}

function toRefundViews(order: Order): z.infer<typeof refundView>[] {
  const { refunds = [], refund, currency } = order;
  return [...refunds, ...(refund ? [{ ...refund, seats: refund.seats ?? seatsOf(order) }] : [])].map(
    (part, index) => ({
      id: String(index + 1),
      seats: part.seats ?? [],
      amount: toNumber(part.amount, currency),
      kind: part.kind,
      status: part.status,
      at: part.at,
      creditNoteNumber: part.creditNote?.number ?? null,
    }),
  );
}

/** @param event the order's event */
export function toOrderView(order: Order, event: Event | undefined): OrderView {
  const { currency, discount, gateway, refund } = order;
  return toView(orderView, order, {
    totalAmount: toNumber(order.totalAmount, currency),
    // An order stores its subtotal after the discount.
    subtotal: toNumber(order.subtotal + discount, currency),
    discount: toNumber(discount, currency),
    fee: toNumber(order.totalAmount - order.subtotal, currency),
    items: toItemViews(event, order),
    walletAddress: order.wallet ?? null,
    seller: event ? sellerOf(event, order.sellerVersion) : null,
    invoiceNumber: order.invoice?.number ?? null,
    tierId: firstTierId(order),
    code: order.redemption?.code ?? null,
    gatewayReferences: gateway ? { [gateway]: order.reference } : {},
    payment: toPaymentView(order) ?? null,
    paidAmount: order.paymentStatus === 'COMPLETED' ? toNumber(paidAmountOf(order), currency) : null,
    otherPayments: Object.entries(order.otherPayments ?? {}).map(([hash, paid]) => ({
      transactionHash: hash,
      amount: toNumber(paid, currency),
    })),
    fulfilment: {
      status: order.fulfilmentStatus,
      ...toReasonView(order),
      transactionHash: order.mintTransactionHash ?? order.blockchainTxHash ?? null,
      queuedAt: order.queuedAt ?? null,
      mintingAt: order.mintingAt ?? null,
      mintedAt: order.mintedAt ?? null,
      updatedAt: order.mintedAt ?? order.mintingAt ?? order.queuedAt ?? order.updatedAt,
    },
    reissue: order.issue ? { walletAddress: order.issue.wallet, at: order.issue.at } : null,
    refund: refund ? { ...refund, amount: toNumber(refund.amount, currency) } : null,
    returns: order.returns ?? null,
    openReturns: toOpenReturns(order),
    refunds: toRefundViews(order),
    refundedAmount: toNumber(refundedAmountOf(order), currency),
  });
}

const accessToken = z.string().meta({ examples: ['fQwR7s1kXo2mTz8yB0nC4uRq9Zw'] });

export const initializedOrderView = z.object({
  ok: z.literal(true),
  orderId: identifier,
  reference,
  checkoutUrl: checkoutUrl.optional(),
  payment: paymentView.optional(),
  totalAmount: amount,
  discount: amount.optional().meta({ description: 'The discount of the code', examples: [10] }),
  currency,
  paymentStatus: z.enum(paymentStatuses),
  expiresAt: time,
  accessToken: accessToken.optional().meta({
    description:
      'For a guest: opens the order, as `Authorization: Order …`. It belongs into the fragment of a link',
  }),
});

/** Returns the data of a new order that a frontend needs for its payment. */
export function toInitializedOrderView(order: Order): z.infer<typeof initializedOrderView> {
  return toView(initializedOrderView, order, {
    ok: true,
    orderId: order.id,
    payment: toPaymentView(order),
    totalAmount: toNumber(order.totalAmount, order.currency),
    discount: order.redemption && toNumber(order.discount, order.currency),
  });
}

/** Describes what happened to an order, for webhooks. @param timestamp the time of the change, ISO 8601 in UTC */
export function orderOccurrence(
  type: 'order.completed' | 'order.refunded' | 'order.failed',
  order: Order,
  event: Event,
  timestamp: string,
): NewOccurrence {
  const { id: orderId, eventId, reference, quantity, totalAmount, currency, failureReason } = order;
  return {
    type,
    eventId,
    timestamp,
    data: {
      orderId,
      eventId,
      reference,
      quantity,
      totalAmount: toNumber(totalAmount, currency),
      currency,
      ...(failureReason && { failureReason }),
    },
    view: () => ({ order: toOrderView(order, event) }),
  };
}

/** Describes what happened to one seat of an order, for webhooks. */
export function seatOccurrence(
  type: 'ticket.transferred' | 'ticket.checked_in',
  { id: orderId, eventId }: Order,
  number: number,
  timestamp: string,
): NewOccurrence {
  return { type, eventId, timestamp, data: { orderId, eventId, number } };
}
