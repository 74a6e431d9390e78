import { type Event, listOrders, listSeats, type Order, ok, type User } from 'boxoffice-client';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ClaimTicket } from '../components/claim-ticket.tsx';
import { describeOrder, OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { Loaded } from '../components/resource.tsx';
import { SeatTicket } from '../components/seat-ticket.tsx';
import { WhenAndWhere } from '../components/time.tsx';
import { useResource } from '../components/use-resource.ts';
import { findEvent, tierName } from '../find-event.ts';
import { formatTickets } from '../format.ts';

type FindEvent = typeof findEvent;

/** The user’s orders except failed ones, newest first, with their seats; then received seats. */
export function TicketsPage({ user }: { user: User }) {
  const findOnce = useMemo(() => once(findEvent), []);
  return (
    <Page title="My tickets">
      <h1>My tickets</h1>
      <PagedList
        load={(cursor) => ok(listOrders({ cursor }))}
        items={({ orders }) => orders.filter(({ paymentStatus }) => paymentStatus !== 'FAILED')}
        empty={
          <>
            You have no tickets yet. <a href="/">See what is on.</a>
          </>
        }
      >
        {(orders) => (
          <ul class="list">
            {orders.map((order) => (
              <OrderEntry key={order.id} order={order} findEvent={findOnce} />
            ))}
          </ul>
        )}
      </PagedList>
      <ReceivedSeats />
      <ClaimTicket user={user} />
    </Page>
  );
}

/** The seats of an order, also before tokens are minted for them. */
function OrderSeats({ order }: { order: Order }) {
  return (
    <PagedList
      load={(cursor) => ok(listSeats({ orderId: order.id, limit: 100, cursor }))}
      items={({ seats }) => seats}
      empty="These tickets are no longer valid."
    >
      {(seats) => (
        <ul class="tickets">
          {seats
            .sort((one, other) => one.number - other.number)
            .map((seat) => (
              <SeatTicket key={seat.number} seat={seat} transactionHash={order.blockchainTxHash} />
            ))}
        </ul>
      )}
    </PagedList>
  );
}

/** The seats that came from others, each with its event. */
function ReceivedSeats() {
  const found = useResource(() => ok(listSeats({ received: 'true', limit: 100 })), []);
  // Most people have none, so there is no placeholder.
  if (found.state === 'loading') return null;
  return (
    <Loaded of={found}>
      {({ seats }) =>
        seats.length > 0 && (
          <section class="part">
            <h2>From others</h2>
            <ul class="list">
              {seats.map((seat) => (
                <li key={`${seat.orderId} ${seat.number}`} class="panel">
                  <h3>
                    <a href={`/events/${seat.event.id}`}>{seat.event.title}</a>
                  </h3>
                  <WhenAndWhere event={seat.event} />
                  <p>
                    <b>{seat.tier.name}</b>
                  </p>
                  <ul class="tickets">
                    <SeatTicket seat={seat} />
                  </ul>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  );
}

function OrderEntry({ order, findEvent }: { order: Order; findEvent: FindEvent }) {
  const found = useResource(() => findEvent(order.eventId), [order.eventId]);
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The browser looked for the one in the address before it was there.
    if (location.hash === `#${order.id}`) entry.current?.scrollIntoView();
  }, [found.state]);
  return (
    <li class="panel" id={order.id} ref={entry}>
      <Loaded of={found}>{(event) => <OrderOfEvent order={order} event={event} />}</Loaded>
    </li>
  );
}

function OrderOfEvent({ order, event }: { order: Order; event: Event | undefined }) {
  const { tone, explanation } = describeOrder(order, event);
  return (
    <>
      <h2>{event ? <a href={`/events/${event.id}`}>{event.title}</a> : 'An event no longer shown'}</h2>
      {event && <WhenAndWhere event={event} />}
      <p>
        <b>
          {formatTickets(order.quantity)}, {tierName(event, order.tierId)}
        </b>{' '}
        ·{' '}
        <a href={`/orders/${order.id}`}>
          <OrderState order={order} event={event} />
        </a>
      </p>
      {tone === 'bad' && <p class="status bad">{explanation}</p>}
      {order.paymentStatus === 'COMPLETED' && <OrderSeats order={order} />}
    </>
  );
}

/** Several orders may be for one event: asks for each once, and again after a failure. */
function once(find: FindEvent): FindEvent {
  const asked = new Map<string, ReturnType<FindEvent>>();
  return (id) => {
    const known = asked.get(id);
    if (known) return known;
    const answer = find(id);
    asked.set(id, answer);
    answer.catch(() => asked.delete(id));
    return answer;
  };
}
