import * as z from 'zod';
import type { Actor } from '../../accounts/auth/authorize.ts';
import { type Event, sellerOf, tierNameOf } from '../../catalog/events/event.ts';
import { formatTime } from '../../catalog/events/format.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { formatMoney } from '../../core/money.ts';
import { allRefunds, creditNotesOf, type InvoiceAmounts, invoiceOf } from '../../orders/invoice.ts';
import { isInvoiced, type Order } from '../../orders/order.ts';
import { readOrder } from '../../orders/read-orders.ts';
import { loadFonts } from './document.ts';
import { drawInvoice } from './draw-invoice.ts';
import { printQuery } from './print-tickets.ts';

export const invoiceQuery = printQuery.extend({
  refund: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The id of a refund, for its credit note. Default: the invoice' }),
});

/**
 * Prints the invoice of an order, or the credit note of one of its refunds.
 * @returns the document, and its name
 * @throws DomainError 404 for callers other than the buyer and the event's organizer and managers, and without such an
 * invoice; 409 with Retry-After for an order that was just paid
 */
export async function printInvoice(
  caller: Actor,
  orderId: string,
  { paper, refund: refundNumber }: z.infer<typeof invoiceQuery>,
): Promise<{ document: Buffer; name: string }> {
  const order = await readOrder(caller, orderId);
  if (order.paymentStatus === 'COMPLETED' && isInvoiced(order) && !order.isPosted)
    throw conflict('in-progress', 'The invoice is being made, please try again in a moment', 2);
  const event = await getEvent(order.eventId);
  const seller = sellerOf(event, order.sellerVersion);
  const { invoice } = order;
  const index = (refundNumber ?? 1) - 1;
  const refund = refundNumber === undefined ? undefined : allRefunds(order)[index];
  const numbered = refundNumber === undefined ? invoice : refund?.creditNote;
  const amounts = refundNumber === undefined ? invoiceOf(order) : creditNotesOf(order)[index];
  if (!seller || !invoice || !numbered || !amounts) throw notFound('Invoice');
  const isCreditNote = refund !== undefined;
  const t = textsIn(order.language);
  const number = formatNumber(numbered);
  const document = await drawInvoice(
    {
      title: t(isCreditNote ? 'invoice.creditNote' : 'invoice.invoice', { number }),
      facts: [
        [t('invoice.date'), formatDate(numbered)],
        ...(isCreditNote ? [toOriginal(order, invoice)] : []),
        [t('print.order'), order.reference],
        [t('invoice.event'), `${event.title}, ${formatTime(event, order.language)}`],
      ],
      seller: [
        seller.name,
        seller.address,
        ...(seller.taxId ? [t('invoice.taxNumber', { number: seller.taxId })] : []),
      ],
      buyer: [order.customerName, order.customerEmail],
      ...toPrintedAmounts(order, event, amounts, isCreditNote),
      reference: order.reference,
    },
    { language: order.language, paper, fonts: await loadFonts() },
  );
  return { document, name: `${isCreditNote ? 'credit-note' : 'invoice'}-${number}` };
}

/** Names the invoice that a credit note is for. */
function toOriginal({ language }: Order, invoice: Numbered): [name: string, value: string] {
  const t = textsIn(language);
  const values = { number: formatNumber(invoice), date: formatDate(invoice) };
  return [t('invoice.for'), t('invoice.forInvoice', values)];
}

function toPrintedAmounts(order: Order, event: Event, amounts: InvoiceAmounts, isCreditNote: boolean) {
  const { lines, fee, taxes, total } = amounts;
  const t = textsIn(order.language);
  const format = (amount: bigint) => formatMoney(amount, order.currency);
  return {
    lines: [
      ...lines.map((line) => ({
        text: `${line.quantity > 0 ? `${line.quantity} × ` : ''}${tierNameOf(event, line)}`,
        tax: line.percent === undefined ? '' : `${line.percent} %`,
        amount: format(line.gross),
      })),
      ...(fee > 0n ? [{ text: t('invoice.fee'), tax: '', amount: format(fee) }] : []),
    ],
    total: { name: t(isCreditNote ? 'invoice.totalCredited' : 'invoice.total'), amount: format(total) },
    notes: taxes.map(({ percent, gross, tax }) =>
      t('invoice.includes', { percent, tax: format(tax), net: format(gross - tax) }),
    ),
  };
}

interface Numbered {
  number: number;
  /** ISO 8601 in UTC. */
  at: string;
}

const formatNumber = ({ number }: Numbered) => String(number).padStart(6, '0');
/** Formats the date in UTC: `2026-11-26`. */
const formatDate = ({ at }: Numbered) => at.slice(0, 10);
