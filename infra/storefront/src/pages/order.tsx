import {
  cancelOrder,
  changeAnswers,
  type Event,
  getOrder,
  type OrderWithAdmissions,
  ok,
  type PaymentMethod,
  setWallet,
  type User,
} from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { methodName } from '../buying/payment-methods.ts';
import { exactAmount, sentTransactions } from '../chain.ts';
import { CryptoPaymentSection } from '../components/crypto-payment.tsx';
import { Field, Form } from '../components/form.tsx';
import { HoldCountdown } from '../components/hold-countdown.tsx';
import { Invoices } from '../components/invoices.tsx';
import { OrderState } from '../components/order-state.tsx';
import { Page } from '../components/page.tsx';
import {
  findUnchosen,
  groupQuestions,
  isAnswerMissing,
  QuestionFields,
  readAnswers,
} from '../components/questions.tsx';
import { Failure, Loaded, useResource } from '../components/resource.tsx';
import { ReturnTicket } from '../components/return-ticket.tsx';
import { SaveTicket } from '../components/save-ticket.tsx';
import { CodeFact, stateOfSeat } from '../components/seat-ticket.tsx';
import { Ticket } from '../components/ticket.tsx';
import { TicketMail } from '../components/ticket-mail.tsx';
import { EventTime, Fact, Hash, Money, Time } from '../components/values.tsx';
import { config } from '../config.ts';
import { downloadTickets } from '../downloads.ts';
import { findSale, type Sale } from '../find-event.ts';
import { formatItems, formatPlace } from '../format.ts';
import { formatMoney } from '../money.ts';
import { describeOrder, isInProgress } from '../order-words.ts';
import { findOrderToken, openOrderLink } from '../session/order-tokens.ts';
import { RedirectToSignIn, useSession } from '../session/user.tsx';
import { t } from '../texts/orders.ts';
import { t as shopText } from '../texts/shop.ts';

/**
 * The page that the gateway redirects buyers to, paid or not. The redirect proves no payment, so the page ignores the
 * URL's parameters and polls the API until the gateway's webhook has settled the order.
 */
export function OrderPage() {
  const { id = '' } = useRoute().params;
  const { user } = useSession();
  useState(() => openOrderLink(id));
  return user || findOrderToken(id) ? <OpenedOrder id={id} user={user} /> : <RedirectToSignIn />;
}

function OpenedOrder({ id, user }: { id: string; user: User | null }) {
  const resource = useResource(async () => {
    const answer = await getOrder(id);
    const { order } = await ok(Promise.resolve(answer));
    const holdEndsAt = Date.parse(order.expiresAt) - clockOffset(answer.headers);
    return { order, holdEndsAt, sale: await findSale(order.eventId, order.code ?? undefined) };
  }, [id]);
  // The order is in an account by now.
  if (resource.state === 'failed' && !user && !findOrderToken(id)) return <RedirectToSignIn />;
  if (resource.state === 'ready') return <OrderDetails key={id} {...resource.value} user={user} />;
  return (
    <Page title={t('order.title')}>
      <Loaded of={resource}>{() => null}</Loaded>
    </Page>
  );
}

/** Returns how far the service's clock is ahead of the visitor's, in milliseconds; 0 for a response without its time. */
function clockOffset(headers: Headers): number {
  const date = headers.get('date');
  return date ? Date.parse(date) - Date.now() : 0;
}

interface OrderDetailsProps {
  order: OrderWithAdmissions;
  /** When the order's tickets are released, on the visitor's clock; epoch milliseconds. */
  holdEndsAt: number;
  /** The event and the ways to pay for its tickets; undefined when buyers can no longer see the event. */
  sale: Sale | undefined;
  /** Null for a guest. */
  user: User | null;
}

function OrderDetails({ order: initialOrder, holdEndsAt, sale, user }: OrderDetailsProps) {
  const [order, setOrder] = useState(initialOrder);
  const [error, setError] = useState<unknown>();
  const [hasHoldEnded, setHoldEnded] = useState(holdEndsAt <= Date.now());
  const [sentHash, setSentHash] = useState(() => sentTransactions.find(initialOrder.id));
  const event = sale?.event;
  // Polling starts again when a late payment or a refund begins.
  const isPolling = isInProgress(order, event);
  useEffect(() => (isPolling ? pollOrder(order, event, setOrder, setError) : undefined), [isPolling]);
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
  const description = describeOrder(order, event);
  // A transaction that is stored only in this browser counts too: after a cancellation the service would not look for
  // it.
  const mayBePaid = Boolean(sentHash ?? order.payment?.transactionHash);
  const isPayable = isPending && !hasHoldEnded && !order.paymentReview && event?.status !== 'CANCELLED';
  // Shown when the hold has ended, until the service has checked for a payment.
  const { heading, explanation } =
    isPending && hasHoldEnded && !order.paymentReview
      ? { heading: t('pending.ended.heading'), explanation: t('pending.ended.explanation') }
      : description;
  return (
    <Page title={heading}>
      <article>
        <h1>{heading}</h1>
        <p class={`status ${description.tone}`} role="status">
          {explanation}
        </p>
        {isPayable && (
          <HoldCountdown expiresAt={order.expiresAt} endsAt={holdEndsAt} onEnd={() => setHoldEnded(true)} />
        )}
        {order.payment && order.paymentStatus !== 'COMPLETED' && (
          <CryptoPaymentSection
            order={order}
            payment={order.payment}
            user={user}
            isOpen={isPayable}
            sentHash={sentHash}
            onSent={setSentHash}
            onChange={reload}
          />
        )}
        <p class="actions">
          {isPayable && order.checkoutUrl && (
            <a class="button primary" href={order.checkoutUrl}>
              {t('order.toPayment')}
            </a>
          )}
          {isPending && !mayBePaid && (
            <button type="button" onClick={cancel}>
              {t('order.cancel')}
            </button>
          )}
          {description.tone === 'good' && (
            <>
              {user && (
                <a class="button primary" href={`/tickets#${order.id}`}>
                  {t('order.myTickets')}
                </a>
              )}
              {order.admissions.length > 0 && (
                <button
                  type="button"
                  onClick={() => downloadTickets(order).then(() => setError(undefined), setError)}
                >
                  {t('order.print')}
                </button>
              )}
              <a class="button" href={`${config.apiUrl}/api/events/${order.eventId}/calendar`} download>
                {shopText('event.calendar')}
              </a>
            </>
          )}
          {order.paymentStatus === 'FAILED' && event?.status === 'PUBLISHED' && (
            <a class="button" href={`/events/${event.id}`}>
              {t('order.again')}
            </a>
          )}
        </p>
        {isPending && mayBePaid && <p class="quiet">{t('order.cannotCancel')}</p>}
        {error !== undefined && <Failure error={error} />}
        {!user && description.tone === 'good' && (
          <p>
            {t('order.sentTo', { email: order.customerEmail })}{' '}
            <a href={`/register?${new URLSearchParams({ email: order.customerEmail })}`}>{t('order.keep')}</a>
          </p>
        )}
        <OrderFacts order={order} event={event} methods={sale?.paymentMethods ?? []} />
        <Invoices order={order} />
      </article>
      {order.admissions.length > 0 && <TicketMail key={order.paymentStatus} order={order} />}
      {order.admissions.length > 0 && event && <Answers order={order} event={event} />}
      {order.admissions.length > 0 && <Admissions order={order} event={event} onChange={reload} />}
      {!user && order.admissions.length > 0 && event?.contractAddress && !order.walletAddress && (
        <GuestWallet order={order} onChange={reload} />
      )}
    </Page>
  );
}

interface OrderFactsProps {
  order: OrderWithAdmissions;
  event: Event | undefined;
  methods: PaymentMethod[];
}

function OrderFacts({ order, event, methods }: OrderFactsProps) {
  const { currency, payment, fulfilment, refunds } = order;
  const paidWith = methods.find(
    ({ paymentMethod, gateway }) => paymentMethod === order.paymentMethod && gateway === order.gateway,
  );
  return (
    <>
      <dl class="panel facts">
        <Fact name={t('order.event')}>
          {event ? (
            <>
              <a href={`/events/${event.id}`}>{event.title}</a>
              <br />
              <EventTime event={event} />
              <br />
              <span class="quiet">{formatPlace(event)}</span>
            </>
          ) : (
            t('order.noEvent')
          )}
        </Fact>
        <Fact name={t('order.tickets')}>{formatItems(order.items)}</Fact>
        <Fact name={t('order.price')}>
          <Money amount={order.subtotal} currency={currency} />
        </Fact>
        {order.code && (
          <Fact name={t('order.code')}>
            {t('order.discount', { code: order.code, amount: formatMoney(order.discount, currency) })}
          </Fact>
        )}
        <Fact name={t('order.fee')}>
          <Money amount={order.fee} currency={currency} />
        </Fact>
        <Fact name={t('order.total')}>
          <b>
            <Money amount={payment ? exactAmount(payment) : order.totalAmount} currency={currency} />
          </b>
        </Fact>
        {order.totalAmount > 0 && paidWith && event && order.paymentStatus !== 'FAILED' && (
          <Fact name={t(order.paymentStatus === 'COMPLETED' ? 'order.paidWith' : 'order.payWith')}>
            {methodName(paidWith, event)}
          </Fact>
        )}
        <Fact name={t('order.state')}>
          <OrderState order={order} event={event} />
        </Fact>
        {refunds.length > 0 && (
          <Fact name={t('order.refunded')}>
            {refunds.map(({ id, amount, at, seats, kind }) => {
              const values = { amount: formatMoney(amount, currency), time: <Time at={at} /> };
              const numbers = seats.join(', ');
              return (
                <div key={id}>
                  {kind === 'seats'
                    ? t(seats.length === 1 ? 'order.refundForSeat' : 'order.refundForSeats', {
                        ...values,
                        numbers,
                      })
                    : t('order.refund', values)}
                </div>
              );
            })}
          </Fact>
        )}
        <Fact name={t('order.buyer')}>
          {order.customerName}
          <br />
          {order.customerEmail}
        </Fact>
        <Fact name={t('order.ordered')}>
          <Time at={order.createdAt} />
        </Fact>
      </dl>
      <details class="part">
        <summary>{t('order.details')}</summary>
        <dl class="facts">
          <Fact name={t('order.reference')}>
            <code>{order.reference}</code>
          </Fact>
          {payment && order.paymentTxId && (
            <Fact name={t('order.payment')}>
              <Hash
                name="payment"
                value={order.paymentTxId}
                chainId={payment.chainId}
                path={`tx/${order.paymentTxId}`}
              />
            </Fact>
          )}
          {fulfilment.transactionHash && (
            <Fact name={t('order.mintedBy')}>
              <Hash
                name="minting"
                value={fulfilment.transactionHash}
                chainId={event?.chainId}
                path={`tx/${fulfilment.transactionHash}`}
              />
            </Fact>
          )}
        </dl>
      </details>
    </>
  );
}

/** Each person's ticket, once the order is paid. */
function Admissions({
  order,
  event,
  onChange,
}: {
  order: OrderWithAdmissions;
  event: Event | undefined;
  onChange: () => Promise<void>;
}) {
  const isReturnable = order.returns !== null && Date.parse(order.returns.until) > Date.now();
  const isListed = (number: number) => order.openReturns.some(({ seats }) => seats.includes(number));
  const usedCount = order.admissions.filter(({ checkedInAt }) => checkedInAt !== null).length;
  return (
    <section class="part">
      <h2>{t('order.atTheDoor')}</h2>
      <p class="quiet">
        {t('order.eachCode')}
        {usedCount > 0 && ` ${t('order.checkedIn', { used: usedCount, count: order.admissions.length })}`}
      </p>
      <ul class="tickets">
        {order.admissions.map(({ number, tierName, attendee, status, qr, checkedInAt, checkInCode }) => (
          <Ticket
            key={number}
            event={event}
            state={isListed(number) ? { label: t('ticket.listed'), tone: 'good' } : stateOfSeat(status)}
            tier={tierName}
            number={number}
            attendee={attendee?.name ?? order.customerName}
            qr={qr}
            checkedInAt={checkedInAt}
            details={<CodeFact code={checkInCode} />}
          >
            {status !== 'admitted' && <SaveTicket orderId={order.id} number={number} />}
            {(isReturnable || isListed(number)) && status === 'held' && (
              <ReturnTicket order={order} number={number} onChange={onChange} />
            )}
          </Ticket>
        ))}
      </ul>
    </section>
  );
}

/** Lets a guest name the wallet that the tickets are minted to. It can't be changed afterwards. */
function GuestWallet({ order, onChange }: { order: OrderWithAdmissions; onChange: () => Promise<void> }) {
  return (
    <section class="part">
      <h2>{t('order.nfts')}</h2>
      <Form<{ walletAddress: string }>
        submit={t('order.mint')}
        onSubmit={async ({ walletAddress }) => {
          await ok(setWallet(order.id, { walletAddress: walletAddress.trim() }));
          await onChange();
        }}
      >
        <Field
          name="walletAddress"
          label={t('order.wallet')}
          hint={t('order.walletHint')}
          placeholder="0x…"
          autocomplete="off"
          spellcheck={false}
          required
        />
      </Form>
    </section>
  );
}

/** The buyer's answers to the organizer's questions, which can be changed until the event begins. */
function Answers({ order, event }: { order: OrderWithAdmissions; event: Event }) {
  const groups = groupQuestions(event.questions, order.items).filter(
    (group) => group.number === undefined || order.admissions.some(({ number }) => number === group.number),
  );
  const [isMissing, setMissing] = useState(() => isAnswerMissing(groups, order.answers));
  const [isOpenAtFirst] = useState(isMissing);
  const [isSaved, setSaved] = useState(false);
  if (groups.length === 0 || Date.parse(event.eventDate) <= Date.now()) return null;
  return (
    <section class="part">
      <h2>{t('answers.title')}</h2>
      {isMissing && <p class="status">{t('answers.missing')}</p>}
      <details open={isOpenAtFirst}>
        <summary>{t('answers.show')}</summary>
        <Form
          submit={t('answers.save')}
          validate={(data) => findUnchosen(data, groups)}
          onInput={() => setSaved(false)}
          onSubmit={async (_values, form) => {
            await ok(changeAnswers(order.id, { answers: readAnswers(new FormData(form), groups) }));
            setMissing(false);
            setSaved(true);
          }}
          footer={isSaved && <p role="status">{t('answers.saved')}</p>}
        >
          <QuestionFields groups={groups} answers={order.answers} />
        </Form>
      </details>
    </section>
  );
}

/**
 * Polls an order until it is no longer in progress, at growing intervals of up to ten seconds. Pauses while the page is
 * hidden.
 * @returns a function that stops polling
 */
function pollOrder(
  initialOrder: OrderWithAdmissions,
  event: Event | undefined,
  setOrder: (order: OrderWithAdmissions) => void,
  setError: (error: unknown) => void,
): () => void {
  let timer: number | undefined;
  let isStopped = false;
  const poll = async (delay: number) => {
    let order = initialOrder;
    try {
      if (document.visibilityState === 'visible') {
        ({ order } = await ok(getOrder(initialOrder.id)));
        if (isStopped) return;
        setOrder(order);
        setError(undefined);
      }
    } catch (error) {
      if (!isStopped) setError(error);
    }
    schedule(order, Math.min(delay * 1.3, 10_000));
  };
  const schedule = (order: OrderWithAdmissions, delay: number) => {
    if (!isStopped && isInProgress(order, event)) timer = setTimeout(poll, delay, delay);
  };
  schedule(initialOrder, 500);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
