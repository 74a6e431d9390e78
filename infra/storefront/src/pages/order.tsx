import { cancelOrder, type Event, getOrder, type OrderWithAdmissions, ok } from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { AdmissionTicket } from '../components/admission.tsx';
import { Money } from '../components/money.tsx';
import { describeOrder, isUnderway, OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded } from '../components/resource.tsx';
import { TicketMail } from '../components/ticket-mail.tsx';
import { useResource } from '../components/use-resource.ts';
import { findEvent, tierName } from '../find-event.ts';
import { tickets } from '../format.ts';

/**
 * Where buyers come back to after paying, whatever happened at the gateway. That they came back proves nothing, so
 * nothing in the address counts: the page asks the API until the gateway's webhook has settled the order.
 */
export function OrderPage() {
  const { id = '' } = useRoute().params;
  const found = useResource(async () => {
    const { order } = await ok(getOrder(id));
    return { order, event: await findEvent(order.eventId) };
  }, [id]);
  if (found.state === 'ready') return <FollowedOrder key={id} {...found.value} />;
  return (
    <Page title="Order">
      <Loaded of={found}>{() => null}</Loaded>
    </Page>
  );
}

function FollowedOrder({ order: first, event }: { order: OrderWithAdmissions; event: Event | undefined }) {
  const [order, setOrder] = useState(first);
  const [error, setError] = useState<unknown>();
  useEffect(() => follow(first, setOrder, setError), [first]);
  const cancel = async () => {
    try {
      const cancelled = await ok(cancelOrder(order.id));
      setOrder({ ...order, ...cancelled.order });
    } catch (failure) {
      setError(failure);
    }
  };

  const { heading, explanation } = describeOrder(order, event);
  const isPending = order.paymentStatus === 'PENDING';
  return (
    <Page title={heading}>
      <article>
        <h1>{heading}</h1>
        <p class="status" role="status">
          {explanation}
        </p>
        <dl class="panel facts">
          <div>
            <dt>Event</dt>
            <dd>{event ? <a href={`/events/${event.id}`}>{event.title}</a> : 'No longer shown'}</dd>
          </div>
          <div>
            <dt>Tickets</dt>
            <dd>
              {tickets(order.quantity)}, {tierName(event, order.tierId)}
            </dd>
          </div>
          {order.code && (
            <div>
              <dt>Code</dt>
              <dd>
                {order.code}, takes off <Money amount={order.discount} currency={order.currency} />
              </dd>
            </div>
          )}
          <div>
            <dt>Total</dt>
            <dd>
              <Money amount={order.totalAmount} currency={order.currency} />
            </dd>
          </div>
          <div>
            <dt>State</dt>
            <dd>
              <OrderState order={order} event={event} />
            </dd>
          </div>
          <div>
            <dt>Order</dt>
            <dd>
              <code>{order.reference}</code>
            </dd>
          </div>
        </dl>
        <p class="actions">
          {isPending && order.checkoutUrl && (
            <a class="button primary" href={order.checkoutUrl}>
              Go to payment
            </a>
          )}
          {isPending && (
            <button type="button" onClick={cancel}>
              Cancel the order
            </button>
          )}
          {order.paymentStatus === 'COMPLETED' && (
            <a class="button primary" href={`/tickets#${order.id}`}>
              My tickets
            </a>
          )}
          {order.paymentStatus === 'FAILED' && event && (
            <a class="button" href={`/events/${event.id}`}>
              Order again
            </a>
          )}
        </p>
      </article>
      {error !== undefined && <Failure error={error} />}
      {order.admissions.length > 0 && <TicketMail key={order.paymentStatus} order={order} />}
      {order.admissions.length > 0 && <Admissions order={order} />}
    </Page>
  );
}

/** What lets each person in, once the order is paid. */
function Admissions({ order }: { order: OrderWithAdmissions }) {
  return (
    <section class="part">
      <h2>At the door</h2>
      <p class="quiet">Each code lets one person in, once.</p>
      <ul class="tickets">
        {order.admissions.map((admission) => (
          <AdmissionTicket key={admission.number} heading={`Ticket ${admission.number}`} {...admission}>
            <p>
              <code>{admission.checkInCode}</code>
            </p>
          </AdmissionTicket>
        ))}
      </ul>
    </section>
  );
}

/** Asks at growing intervals, up to ten seconds, until nothing more changes by itself. @returns stops it */
function follow(
  first: OrderWithAdmissions,
  show: (order: OrderWithAdmissions) => void,
  setError: (error: unknown) => void,
): () => void {
  let timer: number | undefined;
  let isStopped = false;
  const ask = async (pause: number) => {
    let order = first;
    try {
      ({ order } = await ok(getOrder(first.id)));
      if (isStopped) return;
      show(order);
      setError(undefined);
    } catch (error) {
      if (!isStopped) setError(error);
    }
    wait(order, Math.min(pause * 1.3, 10_000));
  };
  const wait = (order: OrderWithAdmissions, pause: number) => {
    if (!isStopped && isUnderway(order)) timer = setTimeout(ask, pause, pause);
  };
  wait(first, 500);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
