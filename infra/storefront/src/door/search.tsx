import { type ExpectedOrder, listAdmissions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { PagedList } from '../components/resource.tsx';
import { Time } from '../components/values.tsx';

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
  const name = `Ticket ${number}`;
  return (
    <li>
      <span>
        <b>{attendeeName ?? name}</b>{' '}
        <span class="quiet">{attendeeName ? `${name}, ${tierName}` : tierName}</span>
      </span>
      {checkedInAt && (
        <span class="quiet">
          In since <Time at={checkedInAt} />
        </span>
      )}
      {(!checkedInAt || admitsAgain) && (
        <button
          type="button"
          disabled={isSent}
          onClick={() => {
            setSent(true);
            void onAdmit();
          }}
        >
          Check in {name.toLowerCase()}
        </button>
      )}
    </li>
  );
}

function describeAdmission(status: ExpectedOrder['status'], admitted: number, quantity: number): string {
  if (status === 'refunded') return 'refunded';
  return status === 'no-seat' ? 'has no ticket' : `${admitted} of ${quantity} checked in`;
}
