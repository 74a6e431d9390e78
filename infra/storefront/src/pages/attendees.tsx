import { type Attendance, type ExpectedOrder, getEvent, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { Failure, Loaded } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { useResource } from '../components/use-resource.ts';
import { saveEventOrders } from '../csv.ts';

/** Who comes to an event: the paid orders, found by the buyer's name, address or order, and who is in. */
export function AttendeesPage() {
  const { id = '' } = useRoute().params;
  const found = useResource(async () => {
    const [{ event }, attendance] = await Promise.all([ok(getEvent(id)), ok(listAdmissions(id))]);
    return { event, attendance };
  }, [id]);
  return (
    <Page title={found.state === 'ready' ? `Attendees of ${found.value.event.title}` : 'Attendees'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <Loaded of={found}>
        {({ event, attendance }) => (
          <>
            <Heading eventId={id} />
            <p class="quiet">{event.title}</p>
            <Count attendance={attendance} />
            <Search eventId={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Heading({ eventId }: { eventId: string }) {
  const [error, setError] = useState<unknown>();
  const download = () => saveEventOrders(eventId).then(() => setError(undefined), setError);
  return (
    <>
      <div class="title-row">
        <h1>Attendees</h1>
        <button type="button" onClick={download}>
          Download as CSV
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

function Count({ attendance: { admitted, expected } }: { attendance: Attendance }) {
  const count = new Intl.NumberFormat().format;
  return (
    <p>
      <b>
        {count(admitted)} of {count(expected)}
      </b>{' '}
      checked in
    </p>
  );
}

function Search({ eventId }: { eventId: string }) {
  const [q, setQ] = useState('');
  return (
    <section class="part">
      <Form<{ q: string }> class="beside" submit="Search" onSubmit={async (values) => setQ(values.q.trim())}>
        <Field
          name="q"
          label="Buyer’s name, mail address or order"
          type="search"
          minLength={2}
          maxLength={200}
          autocomplete="off"
        />
      </Form>
      <div class="part">
        <PagedList
          load={(cursor) => ok(listAdmissions(eventId, { q, cursor }))}
          items={({ orders }) => orders}
          inputs={[eventId, q]}
          empty={q ? 'Nobody with a paid order is found by that.' : 'Nobody has a ticket yet.'}
        >
          {(orders) => <AttendeeTable orders={orders} />}
        </PagedList>
      </div>
    </section>
  );
}

function AttendeeTable({ orders }: { orders: ExpectedOrder[] }) {
  return (
    <Table columns={['Buyer', 'Tickets', 'Checked in']} aria-label="Attendees">
      {orders.map((order) => (
        <AttendeeRow key={order.orderId} order={order} />
      ))}
    </Table>
  );
}

function AttendeeRow({ order }: { order: ExpectedOrder }) {
  const { orderId, customerName, customerEmail, quantity, tierName } = order;
  return (
    <tr>
      <th scope="row" class="wrap">
        {/* The door sees no addresses, and no orders. */}
        {customerEmail ? <a href={`/organizer/orders/${orderId}`}>{customerName}</a> : customerName}
        {customerEmail && (
          <>
            <br />
            <span class="quiet">{customerEmail}</span>
          </>
        )}
      </th>
      <td>
        {quantity} × {tierName}
      </td>
      <td>{admittedOf(order)}</td>
    </tr>
  );
}

function admittedOf({ status, admitted, quantity }: ExpectedOrder): string {
  if (status === 'refunded') return 'Refunded';
  return status === 'no-seat' ? 'Has no ticket' : `${admitted} of ${quantity}`;
}
