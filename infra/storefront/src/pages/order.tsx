import {
  cancelOrder,
  type Event,
  getOrder,
  type OrderWithAdmissions,
  ok,
  type PaymentMethod,
  type User,
} from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { exactAmount } from '../chain.ts';
import { AdmissionTicket } from '../components/admission.tsx';
import { CryptoPaymentPart } from '../components/crypto-payment.tsx';
import { Fact } from '../components/facts.tsx';
import { Hash } from '../components/hash.tsx';
import { HoldCountdown } from '../components/hold-countdown.tsx';
import { Money } from '../components/money.tsx';
import { describeOrder, isUnderway, OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded } from '../components/resource.tsx';
import { TicketMail } from '../components/ticket-mail.tsx';
import { EventTime, Time } from '../components/time.tsx';
import { useResource } from '../components/use-resource.ts';
import { config } from '../config.ts';
import { findSale, type Sale, tierName } from '../find-event.ts';
import { formatPlace, formatTickets } from '../format.ts';
import { sentTransactions } from '../sent-transactions.ts';

/**
 * The page that the gateway redirects buyers to, paid or not. The redirect proves no payment, so the page ignores the
 * URL's parameters and polls the API until the gateway's webhook has settled the order.
 */
export function OrderPage({ user }: { user: User }) {
  const { id = '' } = useRoute().params;
  const found = useResource(async () => {
    const { order } = await ok(getOrder(id));
    return { order, sale: await findSale(order.eventId, order.code ?? undefined) };
  }, [id]);
  if (found.state === 'ready') return <FollowedOrder key={id} {...found.value} user={user} />;
  return (
    <Page title="Order">
      <Loaded of={found}>{() => null}</Loaded>
    </Page>
  );
}

interface FollowedOrderProps {
  order: OrderWithAdmissions;
  /** Undefined when the event is no longer shown. */
  sale: Sale | undefined;
  user: User;
}

function FollowedOrder({ order: first, sale, user }: FollowedOrderProps) {
  const [order, setOrder] = useState(first);
  const [error, setError] = useState<unknown>();
  const [isOver, setOver] = useState(Date.parse(first.expiresAt) <= Date.now());
  const [sent, setSent] = useState(() => sentTransactions.of(first.id));
  const event = sale?.event;
  // Starts again when something begins that ends by itself: a late payment, a refund.
  const isFollowed = isUnderway(order, event);
  useEffect(() => (isFollowed ? follow(order, event, setOrder, setError) : undefined), [isFollowed]);
  const attempt = async (change: () => Promise<OrderWithAdmissions>) => {
    try {
      setOrder(await change());
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  const reload = () => attempt(async () => (await ok(getOrder(order.id))).order);
  const cancel = () => attempt(async () => ({ ...order, ...(await ok(cancelOrder(order.id))).order }));

  const isPending = order.paymentStatus === 'PENDING';
  const described = describeOrder(order, event);
  // Also one that only this browser knows: nobody would look for it any more.
  const mayBePaid = Boolean(sent ?? order.payment?.transactionHash);
  const isPayable = isPending && !isOver && !order.paymentReview && event?.status !== 'CANCELLED';
  const { heading, explanation } = isPending && isOver && !order.paymentReview ? endedHold : described;
  return (
    <Page title={heading}>
      <article>
        <h1>{heading}</h1>
        <p class={`status ${described.tone}`} role="status">
          {explanation}
        </p>
        {isPayable && <HoldCountdown {...order} onEnd={() => setOver(true)} />}
        {order.payment && order.paymentStatus !== 'COMPLETED' && (
          <CryptoPaymentPart
            order={order}
            payment={order.payment}
            user={user}
            isOpen={isPayable}
            sent={sent}
            onSent={setSent}
            onChange={reload}
          />
        )}
        <p class="actions">
          {isPayable && order.checkoutUrl && (
            <a class="button primary" href={order.checkoutUrl}>
              Go to payment
            </a>
          )}
          {isPending && !mayBePaid && (
            <button type="button" onClick={cancel}>
              Cancel the order
            </button>
          )}
          {described.tone === 'good' && (
            <>
              <a class="button primary" href={`/tickets#${order.id}`}>
                My tickets
              </a>
              <a class="button" href={`${config.apiUrl}/api/events/${order.eventId}/calendar`} download>
                Add to calendar
              </a>
            </>
          )}
          {order.paymentStatus === 'FAILED' && event?.status === 'PUBLISHED' && (
            <a class="button" href={`/events/${event.id}`}>
              Order again
            </a>
          )}
        </p>
        {isPending && mayBePaid && (
          <p class="quiet">This order can’t be cancelled while a payment for it may be on its way.</p>
        )}
        {error !== undefined && <Failure error={error} />}
        <OrderFacts order={order} event={event} methods={sale?.paymentMethods ?? []} />
      </article>
      {order.admissions.length > 0 && <TicketMail key={order.paymentStatus} order={order} />}
      {order.admissions.length > 0 && <Admissions order={order} />}
    </Page>
  );
}

/** The hold has ended on the visitor's clock, and the service has not looked for a payment yet. */
const endedHold = {
  heading: 'The time to pay is over',
  explanation:
    'We are looking whether your payment arrived, which takes a minute or two. Please do not pay for this order any more.',
};

interface OrderFactsProps {
  order: OrderWithAdmissions;
  event: Event | undefined;
  methods: PaymentMethod[];
}

function OrderFacts({ order, event, methods }: OrderFactsProps) {
  const { currency, payment, fulfilment, refund } = order;
  const paidWith = methods.find(
    ({ paymentMethod, gateway }) => paymentMethod === order.paymentMethod && gateway === order.gateway,
  );
  return (
    <dl class="panel facts">
      <Fact name="Event">
        {event ? (
          <>
            <a href={`/events/${event.id}`}>{event.title}</a>
            <br />
            <EventTime event={event} />
            <br />
            <span class="quiet">{formatPlace(event)}</span>
          </>
        ) : (
          'No longer shown'
        )}
      </Fact>
      <Fact name="Tickets">
        {formatTickets(order.quantity)}, {tierName(event, order.tierId)}
      </Fact>
      <Fact name="Price">
        <Money amount={order.subtotal} currency={currency} />
      </Fact>
      {order.code && (
        <Fact name="Code">
          {order.code}, takes off <Money amount={order.discount} currency={currency} />
        </Fact>
      )}
      <Fact name="Fee">
        <Money amount={order.fee} currency={currency} />
      </Fact>
      <Fact name="Total">
        <b>
          <Money amount={payment ? exactAmount(payment) : order.totalAmount} currency={currency} />
        </b>
      </Fact>
      {order.totalAmount > 0 && paidWith && (
        <Fact name={order.paymentStatus === 'COMPLETED' ? 'Paid with' : 'Pay with'}>{paidWith.name}</Fact>
      )}
      {payment && order.paymentTxId && (
        <Fact name="Payment">
          <Hash
            name="payment’s transaction"
            value={order.paymentTxId}
            chainId={payment.chainId}
            path={`tx/${order.paymentTxId}`}
          />
        </Fact>
      )}
      <Fact name="State">
        <OrderState order={order} event={event} />
      </Fact>
      {refund && (
        <Fact name="Refund">
          <Money amount={refund.amount} currency={currency} />, <Time at={refund.at} />
        </Fact>
      )}
      {fulfilment.transactionHash && (
        <Fact name="Minted by">
          <Hash
            name="minting transaction"
            value={fulfilment.transactionHash}
            chainId={event?.chainId}
            path={`tx/${fulfilment.transactionHash}`}
          />
        </Fact>
      )}
      <Fact name="Buyer">
        {order.customerName}
        <br />
        {order.customerEmail}
      </Fact>
      <Fact name="Ordered">
        <Time at={order.createdAt} />
      </Fact>
      <Fact name="Order">
        <code>{order.reference}</code>
      </Fact>
    </dl>
  );
}

/** Each person's ticket, once the order is paid. */
function Admissions({ order }: { order: OrderWithAdmissions }) {
  const used = order.admissions.filter(({ checkedInAt }) => checkedInAt !== null).length;
  return (
    <section class="part">
      <h2>At the door</h2>
      <p class="quiet">
        Each code lets one person in, once.
        {used > 0 && ` ${used} of ${formatTickets(order.admissions.length)} checked in.`}
      </p>
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

/**
 * Asks at growing intervals, up to ten seconds, until nothing more changes by itself; not while the page is hidden.
 * @returns stops it
 */
function follow(
  first: OrderWithAdmissions,
  event: Event | undefined,
  show: (order: OrderWithAdmissions) => void,
  setError: (error: unknown) => void,
): () => void {
  let timer: number | undefined;
  let isStopped = false;
  const ask = async (pause: number) => {
    let order = first;
    try {
      if (document.visibilityState === 'visible') {
        ({ order } = await ok(getOrder(first.id)));
        if (isStopped) return;
        show(order);
        setError(undefined);
      }
    } catch (error) {
      if (!isStopped) setError(error);
    }
    wait(order, Math.min(pause * 1.3, 10_000));
  };
  const wait = (order: OrderWithAdmissions, pause: number) => {
    if (!isStopped && isUnderway(order, event)) timer = setTimeout(ask, pause, pause);
  };
  wait(first, 500);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
