import { type Event, initializeOrder, ok, type PaymentMethod, quoteOrder, type Tier } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { EventPicture } from '../components/event-card.tsx';
import { Choice, Field, Form } from '../components/form.tsx';
import { HeldOrders } from '../components/held-orders.tsx';
import { JoinList } from '../components/join-list.tsx';
import { Markdown } from '../components/markdown.tsx';
import { OrganizedBy } from '../components/organizer.tsx';
import { Page } from '../components/page.tsx';
import {
  findUnchosen,
  groupQuestions,
  isAnswered,
  QuestionFields,
  readAnswers,
} from '../components/questions.tsx';
import { QueueGate } from '../components/queue-gate.tsx';
import { Failure, Loaded, useResource } from '../components/resource.tsx';
import { isOnSale, quantityField, TierQuantity } from '../components/tier-quantity.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { CopyButton, EventPeriod, Money, Time } from '../components/values.tsx';
import { config } from '../config.ts';
import { FieldsRefused, isRefusal, messageOf } from '../errors.ts';
import { getPublicSale, type Sale } from '../find-event.ts';
import { categoryLabel, formatPlace, mapLink } from '../format.ts';
import { decimalsOf, formatMoney, priceWithFee } from '../money.ts';
import { rememberOrder } from '../session/order-tokens.ts';
import { loginPath } from '../session/session.ts';
import { useSession } from '../session/user.tsx';

/** The API's maximum number of tickets in an order. */
const maximumOrderTickets = 500;

/** An event, and the form to buy its tickets. A code in the address (`?code=`) reveals hidden tiers. */
export function EventPage() {
  const {
    params: { id = '' },
    query: { code = '' },
  } = useRoute();
  const latestCode = useRef(code);
  latestCode.current = code;
  const resource = useResource(() => getSaleWithCode(id, latestCode.current), [id]);
  const reload = resource.state === 'ready' ? resource.reload : undefined;
  // An input of useResource would show the loading state for each new code; `reload` keeps the page.
  useEffect(() => {
    void reload?.();
  }, [code]);
  return (
    <Page
      title={resource.state === 'ready' ? resource.value.event.title : 'Event'}
      brand={resource.state === 'ready' ? resource.value.event.organizer : undefined}
    >
      <Loaded of={resource}>
        {(sale) => (
          <article class="event">
            <EventPicture event={sale.event} />
            <EventHead event={sale.event} />
            {sale.event.status === 'PUBLISHED' && (
              <div class="buy">
                <HeldOrders eventId={sale.event.id} />
                <QueueGate event={sale.event}>
                  {(queueTicket) => (
                    <BuyForm
                      key={sale.event.id}
                      {...sale}
                      code={code}
                      reload={reload}
                      queueTicket={queueTicket}
                    />
                  )}
                </QueueGate>
                <WaitingLists {...sale} />
              </div>
            )}
            <EventDetails event={sale.event} />
          </article>
        )}
      </Loaded>
    </Page>
  );
}

/** The waiting lists of the sold-out tiers. */
function WaitingLists({ event, waiting }: Sale) {
  if (!event.waitingList) return null;
  const now = Date.now();
  const soldOut = event.tiers.filter(
    ({ kind, available, hidden, saleStart, saleEnd }) =>
      kind === 'ticket' &&
      available === 0 &&
      !hidden &&
      Date.parse(saleStart) <= now &&
      now < Math.min(Date.parse(saleEnd), Date.parse(event.saleEnd)),
  );
  return soldOut.map((tier) => (
    <JoinList
      key={tier.id}
      eventId={event.id}
      tier={tier}
      people={waiting.find(({ tierId }) => tierId === tier.id)?.people ?? 0}
    />
  ));
}

/** Returns the event with the tiers that a code reveals. Ignores an invalid code, since the quote shows its error. */
function getSaleWithCode(id: string, code: string): Promise<Sale> {
  return code ? getPublicSale(id, code).catch(() => getPublicSale(id)) : getPublicSale(id);
}

function EventHead({ event }: { event: Event }) {
  return (
    <header>
      <p class="quiet">{categoryLabel(event.category)}</p>
      <h1>{event.title}</h1>
      {event.status === 'CANCELLED' && <p class="status bad">This event was cancelled.</p>}
      {event.status === 'DRAFT' && <p class="status">This event is not on sale.</p>}
      <p>
        <EventPeriod event={event} />
      </p>
      <p>
        <b>{formatPlace(event)}</b>
        <br />
        {event.address && (
          <>
            <span class="quiet">{event.address}</span>
            <br />
          </>
        )}
        <a href={mapLink(event)} target="_blank" rel="noreferrer">
          Show on a map
        </a>
      </p>
      <OrganizedBy organizer={event.organizer} />
    </header>
  );
}

function EventDetails({ event }: { event: Event }) {
  return (
    <section class="details">
      {event.description && <Markdown text={event.description} />}
      {event.status === 'PUBLISHED' && (
        <p class="actions">
          <a class="button" href={`${config.apiUrl}/api/events/${event.id}/calendar`} download>
            Add to calendar
          </a>
          <CopyButton name="link" text={`${location.origin}/events/${event.id}`} label="Copy the link" />
        </p>
      )}
    </section>
  );
}

/** `method` is the value of the selected payment method; absent when there is nothing to pay. */
type Values = {
  code: string;
  method?: string;
  'customer.name'?: string;
  'customer.email'?: string;
};

/** A tier, and how many of its tickets the buyer has chosen. */
interface ChosenItem {
  tier: Tier;
  quantity: number;
}

interface BuyFormProps extends Sale {
  /** The applied code, from the address; empty for none. */
  code: string;
  reload?: () => Promise<void>;
  /** The ticket of the visitor's place in the event's queue. */
  queueTicket: string | undefined;
}

function BuyForm({ event, paymentMethods, code, reload, queueTicket }: BuyFormProps) {
  const { user } = useSession();
  const { route, query } = useLocation();
  const { sendOnce, reset } = useIdempotencyKey();
  const tiersOnSale = event.tiers.filter(isOnSale);
  // What the buyer has chosen is in the address, so that it is still there after signing in or leaving the checkout.
  const [selection, setSelection] = useState<Selection>(() => ({
    quantities: readQuantities(query.tickets) ?? onlyTier(tiersOnSale),
    method: query.method,
  }));
  const select = (change: Partial<Selection>) => {
    reset();
    const next = { ...selection, ...change };
    setSelection(next);
    history.replaceState(history.state, '', pathOf(event, code, next));
  };
  const revealedTiers = tiersOnSale.filter(({ hidden }) => hidden);
  useEffect(() => {
    // A code for one tier selects it.
    const [tier, ...others] = revealedTiers;
    const isEmpty = Object.values(selection.quantities).every((quantity) => Number(quantity) === 0);
    if (tier && others.length === 0 && isEmpty) select({ quantities: { [tier.id]: `${tier.minPerOrder}` } });
  }, [revealedTiers.length]);
  const quantityOf = ({ id }: Tier) => selection.quantities[id] ?? '0';
  const tiers = ticketsFirst(event.tiers);
  const items = tiers.flatMap((tier): ChosenItem[] => {
    const quantity = Number(quantityOf(tier));
    return isOnSale(tier) && Number.isInteger(quantity) && quantity > 0 ? [{ tier, quantity }] : [];
  });
  const offer = useOffer(event, paymentMethods, items, code);
  const groups =
    event.questionsWhen === 'order' ? groupQuestions(event.questions, toNumberedItems(items)) : [];
  const isGuest = !user && event.buyers === 'anyone';
  const hasToSignIn = !user && !isGuest;
  const chosenMethod =
    offer.paymentMethods.find((method) => toFieldValue(method) === selection.method) ??
    offer.paymentMethods[0];
  const applyCode = (text: string) => {
    reset();
    route(pathOf(event, text, selection), true);
  };

  /** Creates the order, then opens the gateway's checkout, or the order's page when there is no checkout. */
  const buy = async ({ method, code: enteredText, ...guest }: Values, form: HTMLFormElement) => {
    // An entered code is applied first, so that the buyer sees its discount before ordering.
    const enteredCode = enteredText.trim();
    if (enteredCode !== code) return applyCode(enteredCode);
    if (hasToSignIn) return route(loginPath());
    const answers = readAnswers(new FormData(form), groups).filter(isAnswered);
    const body = {
      eventId: event.id,
      ...toRequestedItems(items),
      // The API requires a payment method for free tickets too, and accepts any.
      paymentMethod: 'FIAT' as const,
      ...findPaymentMethod(offer.paymentMethods, method),
      ...(code && { code }),
      ...(answers.length > 0 && { answers }),
      ...(isGuest && {
        customer: { name: guest['customer.name'] ?? '', email: guest['customer.email'] ?? '' },
      }),
    };
    try {
      const { orderId, checkoutUrl, accessToken } = await sendOnce((options) =>
        ok(initializeOrder(body, { ...options, ...(queueTicket && { xQueueTicket: queueTicket }) })),
      );
      if (accessToken) rememberOrder(orderId, accessToken);
      if (!checkoutUrl) return route(`/orders/${orderId}`);
      location.assign(checkoutUrl);
      // The form stays busy until the page is left.
      await new Promise(() => {});
    } catch (error) {
      // The tickets may be sold out by now, so the page shows how many are left.
      await reload?.();
      throw atItsTier(error);
    }
  };

  return (
    <div class="panel">
      <Form<Values>
        submit={hasToSignIn ? 'Sign in to buy' : payLabel(event, offer.total)}
        instead={tiersOnSale.length === 0 && <p class="status">{whyNotOnSale(event)}</p>}
        disabled={offer.isUnpayable || (!hasToSignIn && items.length === 0)}
        validate={(data) => ({ ...findTooFew(items), ...findUnchosen(data, groups) })}
        onSubmit={buy}
        onInput={reset}
        class="buy-form"
      >
        {(['ticket', 'addon'] as const).map((kind) => {
          const tiersOfKind = tiers.filter((tier) => tier.kind === kind);
          return (
            tiersOfKind.length > 0 && (
              <fieldset key={kind}>
                <legend>{kind === 'ticket' ? 'Tickets' : 'Add-ons'}</legend>
                <div class="choices">
                  {tiersOfKind.map((tier) => (
                    <TierQuantity
                      key={tier.id}
                      tier={tier}
                      currency={event.currency}
                      value={quantityOf(tier)}
                      maximum={maximumOf(event, tier, items)}
                      onChange={(value) =>
                        select({ quantities: { ...selection.quantities, [tier.id]: value } })
                      }
                    />
                  ))}
                </div>
              </fieldset>
            )
          );
        })}
        {isGuest && (
          <>
            <Field name="customer.name" label="Name" autocomplete="name" maxLength={100} required />
            <Field
              name="customer.email"
              label="E-mail"
              hint="Your tickets go to this address."
              type="email"
              autocomplete="email"
              required
            />
          </>
        )}
        {!hasToSignIn && <QuestionFields groups={groups} />}
        {offer.isUnpayable && <p class="status">There is no way to pay for these tickets at present.</p>}
        {offer.paymentMethods.length > 0 && (
          <fieldset>
            <legend>Pay with</legend>
            <div class="choices row">
              {offer.paymentMethods.map((method) => (
                <Choice
                  key={toFieldValue(method)}
                  name="method"
                  value={toFieldValue(method)}
                  checked={method === chosenMethod}
                  onSelect={() => select({ method: toFieldValue(method) })}
                  required
                >
                  {method.name}
                </Choice>
              ))}
            </div>
          </fieldset>
        )}
        <div class="field-with-button">
          <Field
            key={code}
            name="code"
            label="Code"
            defaultValue={code}
            maxLength={40}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
          />
          <button
            type="button"
            onClick={({ currentTarget: { form } }) =>
              applyCode(form ? `${new FormData(form).get('code')}`.trim() : '')
            }
          >
            Apply
          </button>
        </div>
        <PriceLines currency={event.currency} {...offer} />
        <ReturnTerms event={event} />
      </Form>
    </div>
  );
}

/** What applies to returns of what is bought now. */
function ReturnTerms({ event: { returns, endDate } }: { event: Event }) {
  if (!returns || Date.parse(returns.until) < Date.now()) return null;
  const { feePercent, mode } = returns;
  const until = returns.until < endDate ? returns.until : endDate;
  return (
    <p class="quiet">
      You can return tickets until <Time at={until} />
      {mode === 'when-resold' && ', as soon as somebody on the waiting list takes them'}
      {feePercent > 0 ? `: you get your payment back less ${feePercent} %.` : ' for your whole payment.'}
    </p>
  );
}

/** Returns the tiers in the order in which the API numbers tickets. */
function ticketsFirst(tiers: readonly Tier[]): Tier[] {
  return tiers.toSorted((a, b) => Number(a.kind === 'addon') - Number(b.kind === 'addon'));
}

/** Returns how many of a tier can be chosen beside the other chosen items. */
function maximumOf(
  event: Event,
  { id, kind, perTicket, available, maxPerPerson }: Tier,
  items: ChosenItem[],
) {
  const count = (isCounted: (tier: Tier) => boolean) =>
    items.reduce((sum, { tier, quantity }) => sum + (isCounted(tier) ? quantity : 0), 0);
  const others = count((tier) => tier.id !== id);
  const tickets = count((tier) => tier.kind === 'ticket' && tier.id !== id);
  const ofKind = kind === 'addon' ? tickets * perTicket : event.maxPerWallet - tickets;
  return Math.max(0, Math.min(available, maxPerPerson, maximumOrderTickets - others, ofKind));
}

/** Returns the errors of tiers of which an order needs more. */
function findTooFew(items: readonly ChosenItem[]): Record<string, string> {
  const tooFew = items.filter(({ tier, quantity }) => quantity < tier.minPerOrder);
  return Object.fromEntries(
    tooFew.map(({ tier }) => [quantityField(tier), `Please take at least ${tier.minPerOrder}.`]),
  );
}

/** Returns the items with the numbers that their tickets will have. */
function toNumberedItems(items: readonly ChosenItem[]) {
  let nextNumber = 1;
  return items.map(({ tier: { id: tierId, name, kind }, quantity }) => {
    const firstNumber = nextNumber;
    nextNumber += quantity;
    return { tierId, name, kind, quantity, firstNumber };
  });
}

/** Returns the fields of an order or a quote for these items. */
function toRequestedItems(items: readonly ChosenItem[]) {
  const requested = items.map(({ tier, quantity }) => ({ tierId: tier.id, quantity }));
  return requested.length === 1 ? requested[0] : { items: requested };
}

/** Converts the refusal of a tier to an error that is shown at the tier. Returns any other error unchanged. */
function atItsTier(error: unknown): unknown {
  const tierId = isRefusal(error, 409) && error.headers.get('x-error-tier');
  return tierId ? new FieldsRefused({ [quantityField({ id: tierId })]: messageOf(error) }) : error;
}

/** The label of the button: `Pay 102.50 €`. */
function payLabel({ currency }: Event, total: number | string | undefined): string {
  if (total === undefined) return 'Choose tickets';
  return Number(total) === 0 ? 'Get tickets' : `Pay ${formatMoney(total, currency)}`;
}

/** Says why nobody can buy a ticket now. */
function whyNotOnSale({ tiers }: Event): string {
  const isUpcoming = ({ saleStart }: Tier) => Date.parse(saleStart) > Date.now();
  if (tiers.length === 0) return 'Tickets are sold with a code only.';
  if (tiers.every(({ available }) => available === 0)) return 'This event is sold out.';
  return tiers.some(isUpcoming) ? 'The sale has not begun yet.' : 'The sale has ended.';
}

/** What the buyer has chosen. */
interface Selection {
  /** The entered number of tickets by tier. */
  quantities: Record<string, string>;
  /** The value of the payment method's radio button. */
  method: string | undefined;
}

/** Returns the address of the event's page with what the buyer has chosen. */
function pathOf({ id }: Event, code: string, { quantities, method }: Selection): string {
  const tickets = Object.entries(quantities)
    .filter(([, quantity]) => Number(quantity) > 0)
    .map(([tierId, quantity]) => `${tierId}.${quantity}`)
    .join('_');
  const query = new URLSearchParams({
    ...(code && { code }),
    ...(tickets && { tickets }),
    ...(method && { method }),
  });
  return `/events/${id}${query.size > 0 ? `?${query}` : ''}`;
}

/** Reads the numbers of tickets from the address. */
function readQuantities(text: string | undefined): Selection['quantities'] | undefined {
  return text ? Object.fromEntries(text.split('_').map((item) => item.split('.', 2))) : undefined;
}

/** One ticket of a tier that is the only one on sale. */
function onlyTier([tier, ...others]: Tier[]): Selection['quantities'] {
  return tier && others.length === 0 ? { [tier.id]: `${tier.minPerOrder}` } : {};
}

interface Offer {
  /** The amounts are in major units, and undefined while no tickets are selected. */
  subtotal: number | string | undefined;
  fee: number | string | undefined;
  total: number | string | undefined;
  /** The code's discount; undefined without a code. */
  discount: number | undefined;
  /** The error of an invalid code. */
  error?: unknown;
  /** The ways to pay the total; none when there is nothing to pay. */
  paymentMethods: PaymentMethod[];
  /** Whether the total is not 0, and there is no way to pay it. */
  isUnpayable: boolean;
}

/**
 * Returns the price of the tickets and the ways to pay it. With a code, the API quotes the price and checks the code.
 * It also quotes prices in currencies with three decimals, because some gateways do not support every amount in them,
 * and prices of which the organizer pays the fee.
 */
function useOffer(
  { id, currency, feePaidBy }: Event,
  paymentMethods: PaymentMethod[],
  items: readonly ChosenItem[],
  code: string,
): Offer {
  const isSelected = items.length > 0;
  const isFeeOnTop = feePaidBy === 'buyer';
  const needsQuote = code !== '' || !isFeeOnTop || decimalsOf(currency) === 3;
  const requested = toRequestedItems(items);
  const quoteResource = useResource(
    async () =>
      isSelected && needsQuote ? ok(quoteOrder(id, { ...requested, ...(code && { code }) })) : undefined,
    [id, JSON.stringify(requested), code],
  );
  const quote = quoteResource.state === 'ready' ? quoteResource.value : undefined;
  const own =
    isSelected && isFeeOnTop
      ? priceWithFee(
          items.map(({ tier: { price }, quantity }) => ({ price, quantity })),
          currency,
        )
      : undefined;
  const { subtotal, fee, total } = quote ?? own ?? {};
  const isFree = Number(total ?? 0) === 0;
  const payableMethods = quote?.paymentMethods ?? (isFree ? [] : paymentMethods);
  return {
    subtotal,
    // What a currency is rounded up by is not a fee that the buyer knows of.
    fee: isFeeOnTop ? fee : undefined,
    total,
    discount: code ? quote?.discount : undefined,
    ...(quoteResource.state === 'failed' && { error: quoteResource.error }),
    paymentMethods: payableMethods,
    isUnpayable: !isFree && payableMethods.length === 0,
  };
}

/** Returns the value of a payment method's radio button. */
function toFieldValue({ paymentMethod, gateway }: PaymentMethod): string {
  return gateway ?? paymentMethod;
}

/** Returns an order's fields for the payment method of the radio button with this value. */
function findPaymentMethod(methods: PaymentMethod[], value: string | undefined) {
  const found = methods.find((method) => toFieldValue(method) === value);
  return found && { paymentMethod: found.paymentMethod, gateway: found.gateway };
}

/** What the buyer pays, line by line. A free order has no fee. */
function PriceLines({ currency, subtotal, discount, fee, total, error }: Offer & { currency: string }) {
  const hasLines = Number(fee) > 0 || Number(discount) > 0;
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {discount === 0 && (
        <p class="status good" role="status">
          Your code is accepted.
        </p>
      )}
      {total !== undefined && (
        <dl class="price-lines">
          {hasLines && subtotal !== undefined && (
            <PriceLine name="Tickets" amount={subtotal} currency={currency} />
          )}
          {Number(discount) > 0 && (
            <PriceLine name="Discount" amount={-Number(discount)} currency={currency} />
          )}
          {Number(fee) > 0 && fee !== undefined && <PriceLine name="Fee" amount={fee} currency={currency} />}
          <PriceLine name="Total" amount={total} currency={currency} />
        </dl>
      )}
    </>
  );
}

function PriceLine({ name, amount, currency }: { name: string; amount: number | string; currency: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {name === 'Total' && Number(amount) === 0 ? 'Free' : <Money amount={amount} currency={currency} />}
      </dd>
    </div>
  );
}
