import * as z from 'zod';
import type { Actor } from '../../accounts/auth/authorize.ts';
import { type Event, sellerOf, tierNameOf } from '../../catalog/events/event.ts';
import { formatTime } from '../../catalog/events/format.ts';
import { getEvent } from '../../catalog/events/store.ts';
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
  const title = `${isCreditNote ? 'Credit note' : 'Invoice'} ${formatNumber(numbered)}`;
  const document = await drawInvoice(
    {
      title,
      facts: [
        ['Date', formatDate(numbered)],
        ...(isCreditNote
          ? [['For', `invoice ${formatNumber(invoice)} of ${formatDate(invoice)}`] as [string, string]]
          : []),
        ['Order', order.reference],
        ['Event', `${event.title}, ${formatTime(event)}`],
      ],
      seller: [seller.name, seller.address, ...(seller.taxId ? [`Tax number ${seller.taxId}`] : [])],
      buyer: [order.customerName, order.customerEmail],
      ...toPrintedAmounts(order, event, amounts, isCreditNote),
      reference: order.reference,
    },
    { paper, fonts: await loadFonts() },
  );
  return { document, name: title.toLowerCase().replaceAll(' ', '-') };
}

function toPrintedAmounts(order: Order, event: Event, amounts: InvoiceAmounts, isCreditNote: boolean) {
  const { lines, fee, taxes, total } = amounts;
  const format = (amount: bigint) => formatMoney(amount, order.currency);
  return {
    lines: [
      ...lines.map((line) => ({
        text: `${line.quantity > 0 ? `${line.quantity} × ` : ''}${tierNameOf(event, line)}`,
        tax: line.percent === undefined ? '' : `${line.percent} %`,
        amount: format(line.gross),
      })),
      ...(fee > 0n ? [{ text: 'Service fee of the platform', tax: '', amount: format(fee) }] : []),
    ],
    total: { name: isCreditNote ? 'Total credited' : 'Total', amount: format(total) },
    notes: taxes.map(
      ({ percent, gross, tax }) =>
        `Includes ${percent} % tax: ${format(tax)} on a net amount of ${format(gross - tax)}`,
    ),
  };
}

const formatNumber = ({ number }: { number: number }) => String(number).padStart(6, '0');
/** Formats the date in UTC: `2026-11-26`. */
const formatDate = ({ at }: { at: string }) => at.slice(0, 10);
