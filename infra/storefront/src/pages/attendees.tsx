import { type Attendance, type ExpectedOrder, getEvent, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { downloadAttendees } from '../downloads.ts';
import { locale } from '../format.ts';
import { t } from '../texts/organizing.ts';

/** The paid orders of an event and their check-ins, with a search by the buyer's name, mail address or order. */
export function AttendeesPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const [{ event }, attendance] = await Promise.all([ok(getEvent(id)), ok(listAdmissions(id))]);
    return { event, attendance };
  }, [id]);
  return (
    <Page
      title={
        resource.state === 'ready'
          ? t('attendees.titleOf', { event: resource.value.event.title })
          : t('attendees.title')
      }
    >
      <p>
        <a href={`/organizer/events/${id}`}>{t('sales')}</a>
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
        <h1>{t('attendees.title')}</h1>
        <button type="button" onClick={download}>
          {t('csv')}
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
      {t('attendees.checkedIn', {
        count: <b>{t('countOf', { count: count(admitted), maximum: count(expected) })}</b>,
      })}
    </p>
  );
}

function Search({ eventId }: { eventId: string }) {
  const [query, setQuery] = useState('');
  return (
    <section class="part">
      <Form<{ q: string }>
        class="field-with-button"
        submit={t('attendees.search')}
        validate={validateQuery}
        onSubmit={async (values) => setQuery(values.q.trim())}
      >
        <Field name="q" label={t('attendees.query')} type="search" maxLength={200} autocomplete="off" />
      </Form>
      <div class="part">
        <PagedList
          load={(cursor) => ok(listAdmissions(eventId, { q: query, cursor }))}
          items={({ orders }) => orders}
          inputs={[eventId, query]}
          empty={t(query ? 'attendees.notFound' : 'attendees.none')}
        >
          {(orders) => <AttendeeTable orders={orders} />}
        </PagedList>
      </div>
    </section>
  );
}

/** Counts the characters that are searched for: `minLength` would also count spaces around them. */
function validateQuery(values: FormData): Record<string, string> {
  return `${values.get('q')}`.trim().length === 1 ? { q: t('attendees.tooShort') } : {};
}

function AttendeeTable({ orders }: { orders: ExpectedOrder[] }) {
  return (
    <Table columns={[t('buyer'), t('tickets'), t('attendees.column')]} aria-label={t('attendees.title')}>
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
  if (status === 'refunded') return t('attendees.refunded');
  return status === 'no-seat'
    ? t('attendees.noTicket')
    : t('countOf', { count: admitted, maximum: quantity });
}
