import { type ExpectedOrder, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { PagedList } from '../components/resource.tsx';
import { Time } from '../components/values.tsx';
import { t } from '../texts/door.ts';

/** A seat to admit without its code. */
export interface FoundSeat {
  orderId: string;
  number: number;
}

interface SearchProps {
  eventId: string;
  /** Whether a ticket may come in several times: at another gate, on another day, or after going out. */
  admitsAgain: boolean;
  onAdmit: (seat: FoundSeat) => Promise<void>;
}

/** Finds paid orders by the buyer's name or the order's reference, and admits their seats without a code. */
export function Search({ eventId, admitsAgain, onAdmit }: SearchProps) {
  const [query, setQuery] = useState('');
  return (
    <>
      <Form<{ q: string }> submit={t('search.submit')} onSubmit={async (values) => setQuery(values.q)}>
        <Field name="q" label={t('search.query')} minLength={2} maxLength={200} autocomplete="off" required />
      </Form>
      {query && (
        <PagedList
          load={(cursor) => ok(listAdmissions(eventId, { q: query, cursor }))}
          items={({ orders }) => orders}
          inputs={[eventId, query]}
          empty={t('search.none')}
        >
          {(orders) => (
            <ul class="list" aria-label={t('search.found')}>
              {orders.map((order) => (
                <FoundOrder key={order.orderId} order={order} admitsAgain={admitsAgain} onAdmit={onAdmit} />
              ))}
            </ul>
          )}
        </PagedList>
      )}
    </>
  );
}

function FoundOrder({
  order,
  admitsAgain,
  onAdmit,
}: { order: ExpectedOrder } & Omit<SearchProps, 'eventId'>) {
  const { orderId, seats, customerName, customerEmail, tierName, quantity, admitted, status } = order;
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
      {seats.length > 0 && (
        <ul class="found-seats">
          {seats.map((seat) => (
            <FoundSeatEntry
              key={seat.number}
              seat={seat}
              admitsAgain={admitsAgain}
              onAdmit={() => onAdmit({ orderId, number: seat.number })}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

function FoundSeatEntry({
  seat: { number, tierName, attendeeName, checkedInAt },
  admitsAgain,
  onAdmit,
}: {
  seat: ExpectedOrder['seats'][number];
  admitsAgain: boolean;
  onAdmit: () => Promise<void>;
}) {
  const [isSent, setSent] = useState(false);
  return (
    <li>
      <span>
        <b>{attendeeName ?? t('search.ticket', { number })}</b>{' '}
        <span class="quiet">
          {attendeeName ? t('search.ticketOf', { number, tier: tierName }) : tierName}
        </span>
      </span>
      {checkedInAt && <span class="quiet">{t('search.inSince', { time: <Time at={checkedInAt} /> })}</span>}
      {(!checkedInAt || admitsAgain) && (
        <button
          type="button"
          disabled={isSent}
          onClick={() => {
            setSent(true);
            void onAdmit();
          }}
        >
          {t('search.checkIn', { number })}
        </button>
      )}
    </li>
  );
}

function describeAdmission(status: ExpectedOrder['status'], admitted: number, quantity: number): string {
  if (status === 'refunded') return t('search.refunded');
  return status === 'no-seat' ? t('search.noSeat') : t('search.checkedIn', { admitted, quantity });
}
