import {
  type Event,
  type EventSummary,
  getEvent,
  listEventOrders,
  type Order,
  ok,
  summarizeEvent,
  type User,
} from 'boxoffice-client';
import { generate } from 'lean-qr';
import { toSvgDataURL } from 'lean-qr/extras/svg';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, PagedList, useResource } from '../components/resource.tsx';
import { SalesChart } from '../components/sales-chart.tsx';
import { Table } from '../components/table.tsx';
import { CopyButton, EventTime, Money, Time } from '../components/values.tsx';
import { downloadEventOrders } from '../downloads.ts';
import { formatItems } from '../format.ts';
import { describeEventState, EventActions } from '../organizing/event-actions.tsx';
import { organizing } from '../texts/en/organizing.ts';
import { t } from '../texts/organizing.ts';

/** The sales of an event, for its organizer and managers. */
export function SalesPage({ user }: { user: User }) {
  const {
    params: { id = '' },
    query,
  } = useRoute();
  const resource = useResource(async () => {
    const [{ event, paymentMethods }, { summary }, { orders }] = await Promise.all([
      ok(getEvent(id)),
      ok(summarizeEvent(id)),
      ok(listEventOrders(id, { limit: 1 })),
    ]);
    const isUnpayable = paymentMethods.length === 0 && event.tiers.some(({ price }) => price > 0);
    return { event, summary, hasOrders: orders.length > 0, isUnpayable };
  }, [id]);
  return (
    <Page
      title={
        resource.state === 'ready' ? t('sale.titleOf', { event: resource.value.event.title }) : t('sales')
      }
    >
      <p>
        <a href={user.role === 'USER' ? '/work' : '/organizer'}>{t('myEvents')}</a>
      </p>
      <Loaded of={resource}>
        {({ event, summary, hasOrders, isUnpayable }) => (
          <>
            <h1>{event.title}</h1>
            <p>
              <b>{describeEventState(event)}</b>
              <br />
              <span class="quiet">
                <EventTime event={event} />
              </span>
              <br />
              <a href={`/events/${id}`}>{t('sale.buyersPage')}</a>
            </p>
            {'saved' in query && (
              <p class="status good" role="status">
                {t('sale.saved')}
              </p>
            )}
            {'no-picture' in query && (
              <p class="status bad" role="status">
                {t('sale.noPicture')}
              </p>
            )}
            {'on-sale' in query && event.status === 'PUBLISHED' && <OnSaleNotice event={event} />}
            <EventActions
              event={event}
              summary={summary}
              hasOrders={hasOrders}
              isOwner={event.organizerId === user.id}
              onChange={async () => {
                if (resource.state === 'ready') await resource.reload();
              }}
            />
            {isUnpayable && <p role="status">{t('sale.unpayable', { currency: event.currency })}</p>}
            <ContractNotice event={event} />
            <Summary summary={summary} />
            <SalesChart summary={summary} />
            <Orders event={event} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What to do with an event that was just put on sale. */
function OnSaleNotice({ event: { id, title, isPublic } }: { event: Event }) {
  const link = `${location.origin}/events/${id}`;
  return (
    <div class="status good" role="status">
      <p>
        <b>{t('sale.isOnSale', { event: title })}</b> {t(isPublic ? 'sale.listed' : 'sale.notListed')}
      </p>
      <p>
        <a href={link}>{link}</a> <CopyButton name="link" text={link} />
      </p>
      <p>
        <img class="qr" src={toSvgDataURL(generate(link))} alt={t('sale.qr')} />
      </p>
      <p>
        {t('sale.next', {
          staff: <a href={`/organizer/staff/${id}`}>{t('sale.nextStaff')}</a>,
          codes: <a href={`/organizer/codes/${id}`}>{t('sale.nextCodes')}</a>,
          checkIn: <a href={`/organizer/check-in/${id}`}>{t('sale.nextCheckIn')}</a>,
        })}
      </p>
    </div>
  );
}

/** What the status of an event's contract means for its organizer. */
function ContractNotice({ event: { contractStatus } }: { event: Event }) {
  return contractStatus in organizing.sale.contract ? (
    <p role="status">{t(`sale.contract.${contractStatus as keyof typeof organizing.sale.contract}`)}</p>
  ) : null;
}

function Summary({ summary }: { summary: EventSummary }) {
  return (
    <div class="part">
      <h2 id="sold">{t('sale.sold')}</h2>
      <Table
        columns={[
          t('tier'),
          t('sale.sold'),
          t('sale.held'),
          t('sale.left'),
          t('sale.gross'),
          t('sale.fee'),
          t('sale.net'),
          t('sale.discounts'),
        ]}
        aria-labelledby="sold"
        total={<SummaryRow {...summary} name={t('total')} />}
      >
        {summary.tiers.map((tier) => (
          <SummaryRow key={tier.tierId} {...tier} currency={summary.currency} />
        ))}
      </Table>
      {summary.ordersPlaced > 0 && <Conversion {...summary} />}
    </div>
  );
}

/** How many of the orders that held tickets were paid. */
function Conversion({ ordersPlaced, ordersPaid }: EventSummary) {
  const percent = Math.round((100 * ordersPaid) / ordersPlaced);
  return <p class="quiet">{t('sale.conversion', { count: ordersPlaced, paid: ordersPaid, percent })}</p>;
}

type Sums = Pick<
  EventSummary,
  'currency' | 'sold' | 'held' | 'available' | 'gross' | 'fee' | 'net' | 'discount'
>;

function SummaryRow({
  name,
  currency,
  sold,
  held,
  available,
  gross,
  fee,
  net,
  discount,
}: Sums & { name: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{sold}</td>
      <td>{held}</td>
      <td>{available}</td>
      {[gross, fee, net, discount].map((amount, index) => (
        <td key={index}>
          <Money amount={amount} currency={currency} />
        </td>
      ))}
    </tr>
  );
}

function Orders({ event }: { event: Event }) {
  const [error, setError] = useState<unknown>();
  return (
    <div class="part">
      <div class="title-row">
        <h2 id="orders-title">{t('sale.orders')}</h2>
        <button
          type="button"
          onClick={() => downloadEventOrders(event.id).then(() => setError(undefined), setError)}
        >
          {t('csv')}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
      <PagedList
        load={(cursor) => ok(listEventOrders(event.id, { cursor }))}
        items={({ orders }) => orders}
        inputs={[event.id]}
        empty={t('sale.none')}
      >
        {(orders) => (
          <Table
            columns={[t('sale.when'), t('buyer'), t('tickets'), t('total'), t('state'), t('order')]}
            aria-labelledby="orders-title"
          >
            {orders.map((order) => (
              <OrderRow key={order.id} order={order} event={event} />
            ))}
          </Table>
        )}
      </PagedList>
    </div>
  );
}

function OrderRow({ order, event }: { order: Order; event: Event }) {
  return (
    <tr>
      <td>
        <Time at={order.createdAt} />
      </td>
      <td class="wrap">
        {order.customerName}
        <br />
        <span class="quiet">{order.customerEmail}</span>
      </td>
      <td>{formatItems(order.items)}</td>
      <td>
        <Money amount={order.totalAmount} currency={order.currency} />
        {order.code && (
          <>
            <br />
            <span class="quiet">{order.code}</span>
          </>
        )}
      </td>
      <td class="wrap">
        <OrderState order={order} event={event} />
      </td>
      <td class="wrap">
        <a href={`/organizer/orders/${order.id}`}>
          <code>{order.reference}</code>
        </a>
      </td>
    </tr>
  );
}
