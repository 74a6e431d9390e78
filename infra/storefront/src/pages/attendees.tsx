import { type Attendance, type ExpectedOrder, getEvent, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { downloadAttendees } from '../downloads.ts';
import { locale } from '../format.ts';

/** The paid orders of an event and their check-ins, with a search by the buyer's name, mail address or order. */
export function AttendeesPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const [{ event }, attendance] = await Promise.all([ok(getEvent(id)), ok(listAdmissions(id))]);
    return { event, attendance };
  }, [id]);
  return (
    <Page title={resource.state === 'ready' ? `Attendees of ${resource.value.event.title}` : 'Attendees'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <Loaded of={resource}>
        {({ event, attendance }) => (
          <>
            <Heading eventId={id} />
            <p class="quiet">{event.title}</p>
            <CheckInCount attendance={attendance} />
            <Search eventId={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Heading({ eventId }: { eventId: string }) {
  const [error, setError] = useState<unknown>();
  const download = () => downloadAttendees(eventId).then(() => setError(undefined), setError);
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

function CheckInCount({ attendance: { admitted, expected } }: { attendance: Attendance }) {
  const count = new Intl.NumberFormat(locale).format;
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
  const [query, setQuery] = useState('');
  return (
    <section class="part">
      <Form<{ q: string }>
        class="field-with-button"
        submit="Search"
        validate={validateQuery}
        onSubmit={async (values) => setQuery(values.q.trim())}
      >
        <Field
          name="q"
          label="Buyer’s name, mail address or order"
          type="search"
          maxLength={200}
          autocomplete="off"
        />
      </Form>
      <div class="part">
        <PagedList
          load={(cursor) => ok(listAdmissions(eventId, { q: query, cursor }))}
          items={({ orders }) => orders}
          inputs={[eventId, query]}
          empty={query ? 'No paid order was found.' : 'Nobody has a ticket yet.'}
        >
          {(orders) => <AttendeeTable orders={orders} />}
        </PagedList>
      </div>
    </section>
  );
}

/** Counts the characters that are searched for: `minLength` would also count spaces around them. */
function validateQuery(values: FormData): Record<string, string> {
  return `${values.get('q')}`.trim().length === 1 ? { q: 'Enter at least two characters' } : {};
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
        {/* Staff at the door may not see mail addresses and orders. */}
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
      <td>{describeAdmission(order)}</td>
    </tr>
  );
}

function describeAdmission({ status, admitted, quantity }: ExpectedOrder): string {
  if (status === 'refunded') return 'Refunded';
  return status === 'no-seat' ? 'Has no ticket' : `${admitted} of ${quantity}`;
}
