import type { Order } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { downloadInvoice } from '../downloads.ts';
import { messageOf } from '../errors.ts';
import { t } from '../texts/orders.ts';

type InvoicedOrder = Pick<Order, 'id' | 'reference' | 'invoiceNumber' | 'refunds'>;

/** The invoice of an order and the credit notes of its refunds, to save as PDF files; nothing without an invoice. */
export function Invoices({ order }: { order: InvoicedOrder }) {
  const [error, setError] = useState<unknown>();
  if (order.invoiceNumber === null) return null;
  const save = (refundId?: string) => () =>
    downloadInvoice(order, refundId).then(() => setError(undefined), setError);
  return (
    <>
      <p class="actions">
        <button type="button" onClick={save()}>
          {t('order.invoice', { number: order.invoiceNumber })}
        </button>
        {order.refunds.map(
          ({ id, creditNoteNumber }) =>
            creditNoteNumber !== null && (
              <button key={id} type="button" onClick={save(id)}>
                {t('order.creditNote', { number: creditNoteNumber })}
              </button>
            ),
        )}
      </p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}
