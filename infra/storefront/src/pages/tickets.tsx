import {
  type Event,
  getOrder,
  listOrders,
  listSeats,
  type Order,
  ok,
  type Seat,
  type User,
} from 'boxoffice-client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { HeldOrders } from '../components/held-orders.tsx';
import { ClaimTicket } from '../components/link-wallet.tsx';
import { OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, PagedList, useResource } from '../components/resource.tsx';
import { SeatTicket } from '../components/seat-ticket.tsx';
import { Ticket } from '../components/ticket.tsx';
import { findEvent } from '../find-event.ts';
import { formatItems } from '../format.ts';
import { describeOrder } from '../order-words.ts';
import { t } from '../texts/orders.ts';
import { t as shopText } from '../texts/shop.ts';

type FindEvent = typeof findEvent;

/** The user’s orders except failed ones, newest first, with their seats; then the seats received from others. */
export function TicketsPage({ user }: { user: User }) {
  const findCachedEvent = useMemo(() => cacheRequests(findEvent), []);
  return (
    <Page title={t('tickets.title')}>
      <div class="title-row">
        <h1>{t('tickets.title')}</h1>
        <a href="/waiting-list">{t('tickets.waitingLists')}</a>
      </div>
      <HeldOrders />
      <PagedList
        load={(cursor) => ok(listOrders({ cursor }))}
        items={({ orders }) => orders.filter(({ paymentStatus }) => paymentStatus !== 'FAILED')}
        empty={
          <>
            {t('tickets.none')} <a href="/">{shopText('page.seeEvents')}</a>
          </>
        }
      >
        {(orders) => (
          <ul class="orders">
            {orders.map((order) => (
              <OrderEntry key={order.id} order={order} user={user} findEvent={findCachedEvent} />
            ))}
          </ul>
        )}
      </PagedList>
      <ReceivedSeats user={user} findEvent={findCachedEvent} />
      <ClaimTicket user={user} />
    </Page>
  );
}

/** The seats of an order, with or without tokens. */
function OrderSeats({ order, event, user }: { order: Order; event: Event | undefined; user: User }) {
  return (
    <PagedList
      load={(cursor) => ok(listSeats({ orderId: order.id, limit: 100, cursor }))}
      items={({ seats }) => seats}
      inputs={[order.fulfilment.status]}
      empty={t('tickets.noneValid')}
    >
      {(seats) => (
        <ul class="tickets">
          {seats
            .sort((a, b) => a.number - b.number)
            .map((seat) => (
              <SeatTicket
                key={seat.number}
                seat={seat}
                event={event}
                holder={user.name}
                transactionHash={order.blockchainTxHash}
              />
            ))}
        </ul>
      )}
    </PagedList>
  );
}

interface ListProps {
  user: User;
  findEvent: FindEvent;
}

/** The seats that the user received from others. */
function ReceivedSeats({ user, findEvent }: ListProps) {
  return (
    // Most users have none, so there is no text for an empty list.
    <PagedList
      load={(cursor) => ok(listSeats({ received: 'true', limit: 100, cursor }))}
      items={({ seats }) => seats}
    >
      {(seats) => (
        <section class="part">
          <h2>{t('tickets.received')}</h2>
          <ul class="tickets">
            {seats.map((seat) => (
              <ReceivedSeat
                key={`${seat.orderId} ${seat.number}`}
                seat={seat}
                user={user}
                findEvent={findEvent}
              />
            ))}
          </ul>
        </section>
      )}
    </PagedList>
  );
}

/** A seat from somebody else, at first without the picture of its event. */
function ReceivedSeat({ seat, user, findEvent }: ListProps & { seat: Seat }) {
  const resource = useResource(() => findEvent(seat.event.id), [seat.event.id]);
  const event = resource.state === 'ready' ? resource.value : undefined;
  return <SeatTicket seat={seat} event={event} holder={user.name} />;
}

/** Milliseconds between two requests for an order whose tickets are being minted. */
const refreshInterval = 3_000;

/** An order, read again until its tickets are minted. */
function useCurrentOrder(initialOrder: Order): Order {
  const [order, setOrder] = useState(initialOrder);
  const isMinting = ['queued', 'minting'].includes(order.fulfilment.status);
  useEffect(() => {
    if (!isMinting) return undefined;
    const refresh = async () => {
      // Without an answer, the next request may have one.
      if (document.visibilityState === 'visible')
        await ok(getOrder(order.id)).then(
          (answer) => setOrder(answer.order),
          () => {},
        );
    };
    const timer = setInterval(refresh, refreshInterval);
    return () => clearInterval(timer);
  }, [isMinting]);
  return order;
}

function OrderEntry({ order: initialOrder, user, findEvent }: ListProps & { order: Order }) {
  const order = useCurrentOrder(initialOrder);
  const resource = useResource(() => findEvent(order.eventId), [order.eventId]);
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The browser tried to scroll to the address's fragment before the list was loaded.
    if (location.hash === `#${order.id}`) entry.current?.scrollIntoView();
  }, [resource.state]);
  return (
    <li id={order.id} ref={entry}>
      <Loaded of={resource}>{(event) => <OrderContent order={order} event={event} user={user} />}</Loaded>
    </li>
  );
}

function OrderContent({ order, event, user }: { order: Order; event: Event | undefined; user: User }) {
  const { tone, label, explanation } = describeOrder(order, event);
  const items = formatItems(order.items);
  return (
    <>
      <div class="title-row">
        <h2>{items}</h2>
        <a href={`/orders/${order.id}`}>
          <OrderState order={order} event={event} />
        </a>
      </div>
      {order.paymentStatus === 'COMPLETED' && tone !== 'bad' ? (
        <OrderSeats order={order} event={event} user={user} />
      ) : (
        <ul class="tickets">
          <Ticket event={event} state={{ label, tone }} tier={items}>
            {order.paymentStatus === 'PENDING' ? (
              <a class="button" href={`/orders/${order.id}`}>
                {t('tickets.openOrder')}
              </a>
            ) : (
              <p>{explanation}</p>
            )}
          </Ticket>
        </ul>
      )}
    </>
  );
}

/**
 * Returns a function that requests each event once, since several orders may be for one event. Forgets failed requests.
 */
function cacheRequests(find: FindEvent): FindEvent {
  const requests = new Map<string, ReturnType<FindEvent>>();
  return (id) => {
    const earlierRequest = requests.get(id);
    if (earlierRequest) return earlierRequest;
    const request = find(id);
    requests.set(id, request);
    request.catch(() => requests.delete(id));
    return request;
  };
}
