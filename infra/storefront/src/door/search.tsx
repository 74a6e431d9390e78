import { type ExpectedOrder, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { PagedList } from '../components/paged-list.tsx';

/** Finds people by their names, whose code can't be read. */
export function Search({ eventId }: { eventId: string }) {
  const [q, setQ] = useState('');
  return (
    <>
      <Form<{ q: string }> submit="Search" onSubmit={async (values) => setQ(values.q)}>
        <Field name="q" label="Name or order" minLength={2} maxLength={200} autocomplete="off" required />
      </Form>
      {q && (
        <PagedList
          load={(cursor) => ok(listAdmissions(eventId, { q, cursor }))}
          items={({ orders }) => orders}
          inputs={[eventId, q]}
          empty="Nobody with a paid order is called that."
        >
          {(orders) => (
            <ul class="list" aria-label="Found">
              {orders.map((order) => (
                <Found key={order.orderId} order={order} />
              ))}
            </ul>
          )}
        </PagedList>
      )}
    </>
  );
}

function Found({ order }: { order: ExpectedOrder }) {
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
        {quantity} × {tierName} · {stateOf(status, admitted, quantity)}
      </p>
    </li>
  );
}

function stateOf(status: ExpectedOrder['status'], admitted: number, quantity: number): string {
  if (status === 'refunded') return 'refunded';
  return status === 'no-seat' ? 'has no seat' : `${admitted} of ${quantity} in`;
}
