import { getOrder, listOrders, listTickets, type Order, ok } from 'boxoffice-client';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { AdmissionTicket } from '../components/admission.tsx';
import { OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { Loaded } from '../components/resource.tsx';
import { EventTime } from '../components/time.tsx';
import { useResource } from '../components/use-resource.ts';
import { findEvent, tierName } from '../find-event.ts';
import { placeOf, tickets } from '../format.ts';

type FindEvent = typeof findEvent;

/** All orders that were not given up, newest first, each with what lets its people in. */
export function TicketsPage() {
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
    </Page>
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
      <Loaded of={found}>
        {(event) => (
          <>
            <h2>{event ? <a href={`/events/${event.id}`}>{event.title}</a> : 'An event no longer shown'}</h2>
            {event && (
              <p class="quiet">
                <EventTime event={event} />
                <br />
                {placeOf(event)}
              </p>
            )}
            <p>
              <b>
                {tickets(order.quantity)}, {tierName(event, order.tierId)}
              </b>{' '}
              ·{' '}
              <a href={`/orders/${order.id}`}>
                <OrderState order={order} />
              </a>
            </p>
            {order.paymentStatus === 'COMPLETED' &&
              (order.fulfilment.status === 'minted' ? (
                <MintedTickets order={order} />
              ) : (
                <Admissions order={order} />
              ))}
          </>
        )}
      </Loaded>
    </li>
  );
}

function MintedTickets({ order }: { order: Order }) {
  return (
    <PagedList
      load={(cursor) => ok(listTickets({ orderId: order.id, limit: 100, cursor }))}
      items={({ tickets }) => tickets}
      empty="The tickets were given back."
    >
      {(minted) => (
        <ul class="tickets">
          {minted.map((ticket) => (
            <AdmissionTicket key={ticket.id} {...ticket}>
              <dl class="facts">
                {ticket.checkInCode && <Fact name="Code">{ticket.checkInCode}</Fact>}
                <Fact name="Token">{ticket.tokenId}</Fact>
                <Fact name="Owner">{ticket.owner}</Fact>
                <Fact name="Transaction">{ticket.txHash}</Fact>
              </dl>
            </AdmissionTicket>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{children}</code>
      </dd>
    </div>
  );
}

/** The seats of an order that is paid without minting, or not minted yet. */
function Admissions({ order }: { order: Order }) {
  const found = useResource(() => ok(getOrder(order.id)), [order.id]);
  return (
    <Loaded of={found}>
      {({ order: { admissions } }) =>
        admissions.length > 0 && (
          <ul class="tickets">
            {admissions.map((admission) => (
              <AdmissionTicket key={admission.number} heading={`Ticket ${admission.number}`} {...admission}>
                <dl class="facts">
                  <Fact name="Code">{admission.checkInCode}</Fact>
                </dl>
              </AdmissionTicket>
            ))}
          </ul>
        )
      }
    </Loaded>
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
