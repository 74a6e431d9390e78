import { endReturn, type OrderWithAdmissions, ok, quoteReturn, returnSeats } from 'boxoffice-client';
import { Confirmation } from './confirmation.tsx';
import { Loaded, useResource } from './resource.tsx';
import { Money, Time } from './values.tsx';

interface ReturnTicketProps {
  order: OrderWithAdmissions;
  number: number;
  /** Reloads the order. */
  onChange: () => Promise<void>;
}

/** Returns a ticket of the buyer's, after showing what goes back. A listed ticket can be kept. */
export function ReturnTicket({ order, number, onChange }: ReturnTicketProps) {
  const listed = order.openReturns.find(({ seats }) => seats.includes(number));
  if (listed) return <ListedTicket {...{ order, number, onChange }} listed={listed} />;
  const returnTicket = async () => {
    await ok(returnSeats(order.id, { seats: [number] }));
    await onChange();
  };
  const isListed = order.returns?.mode === 'when-resold';
  return (
    <Confirmation
      button="Return this ticket"
      title={`Return ticket ${number}?`}
      submit={isListed ? 'Offer it to the waiting list' : 'Return the ticket'}
      onConfirm={returnTicket}
    >
      <Quote order={order} number={number} />
      {isListed ? (
        <p>It stays valid until somebody on the waiting list has paid for it. You can keep it until then.</p>
      ) : (
        <p>Its code is no longer valid then. This can’t be undone.</p>
      )}
    </Confirmation>
  );
}

function ListedTicket({
  order,
  number,
  onChange,
  listed,
}: ReturnTicketProps & { listed: OrderWithAdmissions['openReturns'][number] }) {
  const keep = async () => {
    await ok(endReturn(order.id, listed.id));
    await onChange();
  };
  return (
    <>
      <p>
        {listed.status === 'offered'
          ? 'Offered to somebody on the waiting list.'
          : 'Listed for the waiting list.'}{' '}
        Your ticket is valid until it is taken.
      </p>
      <Quote order={order} number={number} />
      <Confirmation
        button="Keep this ticket"
        title={`Keep ticket ${number}?`}
        submit="Keep it"
        onConfirm={keep}
      >
        <p>
          {listed.seats.length > 1
            ? `You keep tickets ${listed.seats.join(', ')}, which you listed together.`
            : 'It is no longer offered to the waiting list.'}
        </p>
      </Confirmation>
    </>
  );
}

function Quote({ order, number }: Pick<ReturnTicketProps, 'order' | 'number'>) {
  const resource = useResource(() => ok(quoteReturn(order.id, String(number))), [order.id, number]);
  const isListed = order.returns?.mode === 'when-resold';
  return (
    <Loaded of={resource}>
      {({ quote: { refundAmount, fee, currency, until } }) => (
        <p>
          You get{' '}
          <b>
            <Money amount={refundAmount} currency={currency} />
          </b>{' '}
          back
          {isListed && ' when somebody takes it'}
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
