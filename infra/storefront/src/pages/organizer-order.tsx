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
import { formatItems } from '../format.ts';
import { describeOrder } from '../order-words.ts';
import { OrderActions } from '../organizing/order-actions.tsx';
import { t } from '../texts/organizing.ts';

/** An order and its actions, for the event's organizer and managers. */
export function OrganizerOrderPage({ user }: { user: User }) {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const { order } = await ok(getOrder(id));
    const [{ event }, isManager] = await Promise.all([ok(getEvent(order.eventId)), canManage(order, user)]);
    return { order, event, isManager };
  }, [id]);
  const title =
    resource.state === 'ready'
      ? t('orders.titleOf', { buyer: resource.value.order.customerName })
      : t('order');
  return (
    <Page title={title}>
      <Loaded of={resource}>
        {({ order, event, isManager }) => (
          <>
            <p>
              <a href={`/organizer/events/${event.id}`}>{t('sales')}</a>
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
                {t('orders.own')} <a href={`/orders/${order.id}`}>{t('orders.seeTickets')}</a>
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
    [t('orders.price'), order.subtotal],
    ...(discount > 0 ? [[t('orders.code', { code: order.code ?? '' }), -discount] as [string, number]] : []),
    [t('orders.fee'), order.fee],
    [t('total'), order.totalAmount],
    ...refunds.map(({ seats, kind, amount }): [string, number] => [nameRefund(kind, seats), amount]),
  ];
  return (
    <dl class="panel facts">
      <div>
        <dt>{t('orders.event')}</dt>
        <dd>{event.title}</dd>
      </div>
      <div>
        <dt>{t('buyer')}</dt>
        <dd>
          {order.customerName}
          <br />
          <a href={`mailto:${order.customerEmail}`}>{order.customerEmail}</a>
        </dd>
      </div>
      <div>
        <dt>{t('tickets')}</dt>
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
        <dt>{t('orders.ordered')}</dt>
        <dd>
          <Time at={order.createdAt} />
        </dd>
      </div>
      {order.openReturns.length > 0 && (
        <div>
          <dt>{t('orders.returning')}</dt>
          <dd>{nameSeats(order.openReturns.flatMap(({ seats }) => seats))}</dd>
        </div>
      )}
      {order.mail && (
        <div>
          <dt>{t('orders.mail')}</dt>
          <dd>{t(`orders.mails.${reasonOf(order.mail) ?? order.mail.status}`)}</dd>
        </div>
      )}
      {reissue && (
        <div>
          <dt>{t('orders.reissued')}</dt>
          <dd>
            {t('orders.reissuedTo', {
              time: <Time at={reissue.at} />,
              wallet: <code>{reissue.walletAddress}</code>,
            })}
          </dd>
        </div>
      )}
      <div>
        <dt>{t('order')}</dt>
        <dd>
          <code>{order.reference}</code>
        </dd>
      </div>
    </dl>
  );
}

function nameRefund(kind: Order['refunds'][number]['kind'], seats: readonly number[]): string {
  if (kind !== 'seats') return t(kind === 'goodwill' ? 'orders.goodwill' : 'orders.refund');
  const numbers = seats.join(', ');
  return t(seats.length === 1 ? 'orders.refundSeat' : 'orders.refundSeats', { numbers });
}

const nameSeats = (seats: readonly number[]): string =>
  t(seats.length === 1 ? 'orders.ticket' : 'orders.tickets', { numbers: seats.join(', ') });

/** Returns why a mail did not reach its reader, where that says more than its status. */
function reasonOf({ reason }: NonNullable<OrderWithAdmissions['mail']>) {
  return reason === 'bounced' || reason === 'complained' ? reason : undefined;
}

function Seats({ seats }: { seats: AttendedSeat[] }) {
  return (
    <section class="part">
      <h2 id="seats-title">
        {t('orders.seats', {
          used: seats.filter(({ checkedInAt }) => checkedInAt).length,
          count: seats.length,
        })}
      </h2>
      <Table
        columns={[t('orders.ticketColumn'), t('orders.attendee'), t('orders.holder'), t('orders.checkedIn')]}
        aria-labelledby="seats-title"
      >
        {seats.map(({ number, attendeeName, isTransferred, checkedInAt }) => (
          <tr key={number}>
            <th scope="row">{number}</th>
            <td>{attendeeName ?? t('orders.notNamed')}</td>
            <td>{t(isTransferred ? 'orders.transferred' : 'orders.theBuyer')}</td>
            <td>{checkedInAt ? <Time at={checkedInAt} /> : t('orders.notYet')}</td>
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
