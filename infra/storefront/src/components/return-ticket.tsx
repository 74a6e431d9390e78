import { type OrderWithAdmissions, ok, quoteReturn, returnSeats } from 'boxoffice-client';
import { Confirmation } from './confirmation.tsx';
import { Loaded, useResource } from './resource.tsx';
import { Money, Time } from './values.tsx';

interface ReturnTicketProps {
  order: OrderWithAdmissions;
  number: number;
  /** Reloads the order. */
  onChange: () => Promise<void>;
}

/** Returns a ticket of the buyer's, after showing what goes back. */
export function ReturnTicket({ order, number, onChange }: ReturnTicketProps) {
  const returnTicket = async () => {
    await ok(returnSeats(order.id, { seats: [number] }));
    await onChange();
  };
  return (
    <Confirmation
      button="Return this ticket"
      title={`Return ticket ${number}?`}
      submit="Return the ticket"
      onConfirm={returnTicket}
    >
      <Quote orderId={order.id} number={number} />
      <p>Its code is no longer valid then. This can’t be undone.</p>
    </Confirmation>
  );
}

function Quote({ orderId, number }: { orderId: string; number: number }) {
  const resource = useResource(() => ok(quoteReturn(orderId, String(number))), [orderId, number]);
  return (
    <Loaded of={resource}>
      {({ quote: { refundAmount, fee, currency, until } }) => (
        <p>
          You get{' '}
          <b>
            <Money amount={refundAmount} currency={currency} />
          </b>{' '}
          back
          {fee > 0 && (
            <>
              ; <Money amount={fee} currency={currency} /> are kept
            </>
          )}
          . You can return it until <Time at={until} />.
        </p>
      )}
    </Loaded>
  );
}
