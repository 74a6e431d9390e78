import {
  type AttendedSeat,
  type Event,
  getEvent,
  getOrder,
  type Order,
  type OrderWithAdmissions,
  ok,
  summarizeEvent,
  type User,
} from 'boxoffice-client';
import { useRoute } from 'preact-iso';
import { Invoices } from '../components/invoices.tsx';
import { OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { Money, Time } from '../components/values.tsx';
import { isRefusal } from '../errors.ts';
import { formatItems, formatSeats } from '../format.ts';
import { describeOrder } from '../order-words.ts';
import { OrderActions } from '../organizing/order-actions.tsx';

/** An order and its actions, for the event's organizer and managers. */
export function OrganizerOrderPage({ user }: { user: User }) {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const { order } = await ok(getOrder(id));
    const [{ event }, isManager] = await Promise.all([ok(getEvent(order.eventId)), canManage(order, user)]);
    return { order, event, isManager };
  }, [id]);
  const title = resource.state === 'ready' ? `Order of ${resource.value.order.customerName}` : 'Order';
  return (
    <Page title={title}>
      <Loaded of={resource}>
        {({ order, event, isManager }) => (
          <>
            <p>
              <a href={`/organizer/events/${event.id}`}>Sales</a>
            </p>
            <h1>{title}</h1>
            <p class="status" role="status">
              <b>
                <OrderState order={order} event={event} />
              </b>
              <br />
              {describeOrder(order, event).organizer}
            </p>
            {isManager && (
              <OrderActions
                order={order}
                event={event}
                user={user}
                onChange={async () => {
                  if (resource.state === 'ready') await resource.reload();
                }}
              />
            )}
            <Facts order={order} event={event} />
            <Invoices order={order} />
            {order.userId === user.id ? (
              <p>
                You bought this order yourself. <a href={`/orders/${order.id}`}>See its tickets.</a>
              </p>
            ) : (
              order.paymentStatus === 'COMPLETED' && <Seats seats={seatsOf(order)} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * Returns whether the user manages the order's event. Besides the buyer, only its managers can read the order. A buyer
 * who can read the event's summary is a manager too.
 */
async function canManage({ userId, eventId }: Order, user: User): Promise<boolean> {
  if (userId !== user.id) return true;
  try {
    await ok(summarizeEvent(eventId));
    return true;
  } catch (error) {
    if (isRefusal(error, 403, 404)) return false;
    throw error;
  }
}

function Facts({ order, event }: { order: OrderWithAdmissions; event: Event }) {
  const { currency, discount, refunds, reissue } = order;
  const amounts: [string, number][] = [
    ['Price of the tickets', order.subtotal],
    ...(discount > 0 ? [[`Code ${order.code}`, -discount] as [string, number]] : []),
    ['Fee, paid by the buyer', order.fee],
    ['Total', order.totalAmount],
    ...refunds.map(({ seats, kind, amount }): [string, number] => [
      kind === 'seats' ? `Refund of ${formatSeats(seats)}` : kind === 'goodwill' ? 'Goodwill' : 'Refund',
      amount,
    ]),
  ];
  return (
    <dl class="panel facts">
      <div>
        <dt>Event</dt>
        <dd>{event.title}</dd>
      </div>
      <div>
        <dt>Buyer</dt>
        <dd>
          {order.customerName}
          <br />
          <a href={`mailto:${order.customerEmail}`}>{order.customerEmail}</a>
        </dd>
      </div>
      <div>
        <dt>Tickets</dt>
        <dd>{formatItems(order.items)}</dd>
      </div>
      {amounts.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
      <div>
        <dt>Ordered</dt>
        <dd>
          <Time at={order.createdAt} />
        </dd>
      </div>
      {order.openReturns.length > 0 && (
        <div>
          <dt>Offered to the waiting list</dt>
          <dd>{formatSeats(order.openReturns.flatMap(({ seats }) => seats))}</dd>
        </div>
      )}
      {order.mail && (
        <div>
          <dt>Mail</dt>
          <dd>{(order.mail.reason && mailReasons[order.mail.reason]) ?? mailStates[order.mail.status]}</dd>
        </div>
      )}
      {reissue && (
        <div>
          <dt>Reissued</dt>
          <dd>
            <Time at={reissue.at} />, to <code>{reissue.walletAddress}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>Order</dt>
        <dd>
          <code>{order.reference}</code>
        </dd>
      </div>
    </dl>
  );
}

const mailStates: Record<NonNullable<OrderWithAdmissions['mail']>['status'], string> = {
  waiting: 'The tickets are on their way to the buyer.',
  sent: 'The tickets were mailed to the buyer.',
  dropped: 'The tickets were not mailed, since they had become invalid.',
  failed: 'The tickets could not be mailed to the buyer, but they are valid.',
};

const mailReasons: Partial<Record<string, string>> = {
  bounced: 'The buyer’s address does not accept mail, so the tickets did not arrive. They are valid.',
  complained: 'The tickets were mailed to the buyer, who reported the mail as unwanted.',
};

function Seats({ seats }: { seats: AttendedSeat[] }) {
  return (
    <section class="part">
      <h2 id="seats-title">
        Tickets: {seats.filter(({ checkedInAt }) => checkedInAt).length} of {seats.length} checked in
      </h2>
      <Table columns={['Ticket', 'Attendee', 'Holder', 'Checked in']} aria-labelledby="seats-title">
        {seats.map(({ number, attendeeName, isTransferred, checkedInAt }) => (
          <tr key={number}>
            <th scope="row">{number}</th>
            <td>{attendeeName ?? 'Not named'}</td>
            <td>{isTransferred ? 'Transferred by the buyer' : 'The buyer'}</td>
            <td>{checkedInAt ? <Time at={checkedInAt} /> : 'Not yet'}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Returns all seats of an order. The API omits seats that were never named, transferred or checked in. */
function seatsOf({ quantity, seats }: OrderWithAdmissions): AttendedSeat[] {
  return Array.from({ length: quantity }, (_, index) => {
    const number = index + 1;
    const unchangedSeat = { number, attendeeName: null, isTransferred: false, checkedInAt: null };
    return seats.find((seat) => seat.number === number) ?? unchangedSeat;
  });
}
