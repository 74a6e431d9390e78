import { type Event, initializeOrder, ok, type PaymentMethod, quoteOrder, type Tier } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { EventPicture } from '../components/event-card.tsx';
import { Choice, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, useResource } from '../components/resource.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { EventTime, Money, Price } from '../components/values.tsx';
import { config } from '../config.ts';
import { getPublicSale, type Sale } from '../find-event.ts';
import { categoryLabel, formatAvailability, formatPlace, shortTime } from '../format.ts';
import { decimalsOf, formatMoney, totalWithFee } from '../money.ts';
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
    <Page title={resource.state === 'ready' ? resource.value.event.title : 'Event'}>
      <Loaded of={resource}>
        {(sale) => (
          <article class="two-columns">
            <Description event={sale.event} />
            {sale.event.status === 'PUBLISHED' && <BuyForm {...sale} code={code} reload={reload} />}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

/** Returns the event with the tiers that a code reveals. Ignores an invalid code, since the quote shows its error. */
function getSaleWithCode(id: string, code: string): Promise<Sale> {
  return code ? getPublicSale(id, code).catch(() => getPublicSale(id)) : getPublicSale(id);
}

function Description({ event }: { event: Event }) {
  return (
    <section>
      <p class="quiet">{categoryLabel(event.category)}</p>
      <h1>{event.title}</h1>
      {event.status === 'CANCELLED' && <p class="status">This event was cancelled.</p>}
      {event.status === 'DRAFT' && <p class="status">This event is not on sale.</p>}
      <p>
        <b>
          <EventTime event={event} />
        </b>
        <br />
        {formatPlace(event)}
        <br />
        <span class="quiet">{event.address}</span>
        {event.status === 'PUBLISHED' && (
          <>
            <br />
            <a href={`${config.apiUrl}/api/events/${event.id}/calendar`} download>
              Add to calendar
            </a>
          </>
        )}
      </p>
      <EventPicture event={event} />
      {event.description && <p class="prose">{event.description}</p>}
    </section>
  );
}

/** `method` is the value of the selected payment method; absent when there is nothing to pay. */
type Values = {
  tierId: string;
  quantity: string;
  code: string;
  method?: string;
  'customer.name'?: string;
  'customer.email'?: string;
};

interface BuyFormProps extends Sale {
  /** The applied code, from the address; empty for none. */
  code: string;
  reload?: () => Promise<void>;
}

function BuyForm({ event, paymentMethods, code, reload }: BuyFormProps) {
  const { user } = useSession();
  const { route } = useLocation();
  const [selection, setSelection] = useState({ tierId: '', quantity: 1 });
  const tiersOnSale = event.tiers.filter(isOnSale);
  const tier = tiersOnSale.find(({ id }) => id === selection.tierId) ?? tiersOnSale[0];
  const offer = useOffer(event, paymentMethods, tier, selection.quantity, code);
  const { sendOnce, reset } = useIdempotencyKey();
  const isGuest = !user && event.buyers === 'anyone';
  const applyCode = (text: string) => {
    reset();
    const query = text && `?${new URLSearchParams({ code: text })}`;
    route(`/events/${event.id}${query}`, true);
  };

  /** Creates the order, then opens the gateway's checkout, or the order's page when there is no checkout. */
  const buy = async ({ tierId, quantity, method, code: enteredText, ...guest }: Values) => {
    // An entered code is applied first, so that the buyer sees its discount before ordering.
    const enteredCode = enteredText.trim();
    if (enteredCode !== code) return applyCode(enteredCode);
    if (!user && !isGuest) return route(loginPath());
    const body = {
      eventId: event.id,
      tierId,
      quantity: Number(quantity),
      // The API requires a payment method for free tickets too, and accepts any.
      paymentMethod: 'FIAT' as const,
      ...findPaymentMethod(offer.paymentMethods, method),
      ...(code && { code }),
      ...(isGuest && {
        customer: { name: guest['customer.name'] ?? '', email: guest['customer.email'] ?? '' },
      }),
    };
    try {
      const { orderId, checkoutUrl, accessToken } = await sendOnce((options) =>
        ok(initializeOrder(body, options)),
      );
      if (accessToken) rememberOrder(orderId, accessToken);
      if (!checkoutUrl) return route(`/orders/${orderId}`);
      location.assign(checkoutUrl);
      // The form stays busy until the page is left.
      await new Promise(() => {});
    } catch (error) {
      // The tickets may be sold out by now, so the page shows how many are left.
      await reload?.();
      throw error;
    }
  };

  return (
    <div class="panel">
      <Form<Values>
        submit={user ? 'Buy' : isGuest ? payLabel(offer.total, event.currency) : 'Sign in to buy'}
        disabled={tiersOnSale.length === 0 || offer.isUnpayable}
        onSubmit={buy}
        onInput={({ currentTarget }) => {
          const values = new FormData(currentTarget);
          reset();
          setSelection({ tierId: `${values.get('tierId')}`, quantity: Number(values.get('quantity')) });
        }}
      >
        <fieldset>
          <legend>Tickets</legend>
          <div class="choices">
            {event.tiers.map((each) => (
              <TierChoice key={each.id} tier={each} currency={event.currency} isChosen={each === tier} />
            ))}
          </div>
        </fieldset>
        <Field
          name="quantity"
          label="Quantity"
          type="number"
          min={1}
          max={tier && Math.min(tier.available, tier.maxPerPerson, maximumOrderTickets)}
          defaultValue="1"
          required
        />
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
        {offer.isUnpayable && <p class="status">There is no way to pay for these tickets at present.</p>}
        {offer.paymentMethods.length > 0 && (
          <fieldset>
            <legend>Pay with</legend>
            <div class="choices row">
              {offer.paymentMethods.map((method, index) => (
                <Choice
                  key={toFieldValue(method)}
                  name="method"
                  value={toFieldValue(method)}
                  defaultChecked={index === 0}
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
        {offer.total !== undefined && <Total event={event} {...offer} total={offer.total} />}
      </Form>
    </div>
  );
}

/** The label of a guest's button: `Pay 102.50 €`. */
function payLabel(total: number | string | undefined, currency: string): string {
  return Number(total ?? 0) === 0 ? 'Order' : `Pay ${formatMoney(total ?? 0, currency)}`;
}

interface Offer {
  /** In major units; undefined while no tickets are selected. */
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
 * It also quotes prices in currencies with three decimals, because some gateways do not support every amount in them.
 */
function useOffer(
  { id, currency }: Event,
  paymentMethods: PaymentMethod[],
  tier: Tier | undefined,
  quantity: number,
  code: string,
): Offer {
  const isSelected = tier !== undefined && Number.isInteger(quantity) && quantity > 0;
  const needsQuote = code !== '' || decimalsOf(currency) === 3;
  const quoteResource = useResource(
    async () =>
      isSelected && needsQuote
        ? ok(quoteOrder(id, { tierId: tier.id, quantity, ...(code && { code }) }))
        : undefined,
    [id, isSelected && tier.id, quantity, code],
  );
  const quote = quoteResource.state === 'ready' ? quoteResource.value : undefined;
  const total = quote?.total ?? (isSelected ? totalWithFee(tier.price, quantity, currency) : undefined);
  const isFree = Number(total ?? 0) === 0;
  const payableMethods = quote?.paymentMethods ?? (isFree ? [] : paymentMethods);
  return {
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

interface TotalProps extends Pick<Offer, 'discount' | 'error'> {
  event: Event;
  total: number | string;
}

function Total({ event: { currency }, total, discount, error }: TotalProps) {
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {discount !== undefined && (
        <p class="status" role="status">
          {discount > 0 ? (
            <>
              Your code takes off <Money amount={discount} currency={currency} />.
            </>
          ) : (
            'Your code is accepted.'
          )}
        </p>
      )}
      <p class="total">
        Total
        <output>
          <Money amount={total} currency={currency} />
        </output>
        <small class="quiet">with the fee of 2.5 %</small>
      </p>
    </>
  );
}

function isOnSale({ available, saleStart, saleEnd }: Tier): boolean {
  const now = Date.now();
  return available > 0 && Date.parse(saleStart) <= now && now <= Date.parse(saleEnd);
}

/** Formats a tier's availability: the tickets left, or when its sale begins or has ended. */
function formatSale({ available, saleStart, saleEnd }: Tier): string {
  const now = Date.now();
  if (Date.parse(saleEnd) < now) return 'The sale has ended';
  if (Date.parse(saleStart) > now) return `On sale from ${shortTime(saleStart)}`;
  return formatAvailability(available);
}

function TierChoice({ tier, currency, isChosen }: { tier: Tier; currency: string; isChosen: boolean }) {
  return (
    <Choice class="tier" name="tierId" value={tier.id} checked={isChosen} disabled={!isOnSale(tier)} required>
      <span>
        <b>{tier.name}</b>
        {tier.description && <span class="quiet">{tier.description}</span>}
      </span>
      <span class="right">
        <b>
          <Price amount={tier.price} currency={currency} />
        </b>
        <span class="quiet">{formatSale(tier)}</span>
      </span>
    </Choice>
  );
}
