import { type ExpectedOrder, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { PagedList } from '../components/resource.tsx';

/** Finds paid orders by the buyer's name or the order's reference, for tickets whose code can't be read. */
export function Search({ eventId }: { eventId: string }) {
  const [query, setQuery] = useState('');
  return (
    <>
      <Form<{ q: string }> submit="Search" onSubmit={async (values) => setQuery(values.q)}>
        <Field name="q" label="Name or order" minLength={2} maxLength={200} autocomplete="off" required />
      </Form>
      {query && (
        <PagedList
          load={(cursor) => ok(listAdmissions(eventId, { q: query, cursor }))}
          items={({ orders }) => orders}
          inputs={[eventId, query]}
          empty="No paid order has this name or reference."
        >
          {(orders) => (
            <ul class="list" aria-label="Found">
              {orders.map((order) => (
                <FoundOrder key={order.orderId} order={order} />
              ))}
            </ul>
          )}
        </PagedList>
      )}
    </>
  );
}

function FoundOrder({ order }: { order: ExpectedOrder }) {
  const { customerName, customerEmail, tierName, quantity, admitted, status } = order;
  return (
    <li class="panel">
      <h3>{customerName}</h3>
      <p>
        {customerEmail && (
          <>
            <span class="quiet">{customerEmail}</span>
            <br />
          </>
        )}
        {quantity} × {tierName} · {describeAdmission(status, admitted, quantity)}
      </p>
    </li>
  );
}

function describeAdmission(status: ExpectedOrder['status'], admitted: number, quantity: number): string {
  if (status === 'refunded') return 'refunded';
  return status === 'no-seat' ? 'has no ticket' : `${admitted} of ${quantity} checked in`;
}
