import { type Event, initializeOrder, ok, type PaymentMethod, quoteOrder, type Tier } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { categoryLabel } from '../categories.ts';
import { Choice } from '../components/choice.tsx';
import { EventPicture } from '../components/event-picture.tsx';
import { Field, Form } from '../components/form.tsx';
import { Money, Price } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded } from '../components/resource.tsx';
import { EventTime } from '../components/time.tsx';
import { useResource } from '../components/use-resource.ts';
import { config } from '../config.ts';
import { isUncertain } from '../errors.ts';
import { getPublicSale, type Sale } from '../find-event.ts';
import { formatAvailability, formatPlace, shortTime } from '../format.ts';
import { decimalsOf, totalWithFee } from '../money.ts';
import { loginPath } from '../session/session.ts';
import { useSession } from '../session/user.tsx';

/** The API's maximum of tickets in an order. */
const maximumOrderTickets = 500;

/** One event, and buying tickets to it. A code in the address, `?code=`, opens hidden tiers. */
export function EventPage() {
  const {
    params: { id = '' },
    query: { code = '' },
  } = useRoute();
  const latest = useRef(code);
  latest.current = code;
  const found = useResource(() => saleWith(id, latest.current), [id]);
  const shown = found.state === 'ready' ? found : undefined;
  useEffect(() => {
    void shown?.reload();
  }, [code]);
  return (
    <Page title={found.state === 'ready' ? found.value.event.title : 'Event'}>
      <Loaded of={found}>
        {(sale) => (
          <article class="two-columns">
            <Description event={sale.event} />
            {sale.event.status === 'PUBLISHED' && <BuyForm {...sale} code={code} reload={shown?.reload} />}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

/** The event with the tiers that a code opens. What is wrong with the code, its quote says. */
function saleWith(id: string, code: string): Promise<Sale> {
  return code ? getPublicSale(id, code).catch(() => getPublicSale(id)) : getPublicSale(id);
}

function Description({ event }: { event: Event }) {
  return (
    <section>
      <p class="quiet">{categoryLabel(event.category)}</p>
      <h1>{event.title}</h1>
      {event.status === 'CANCELLED' && <p class="status">This event was cancelled.</p>}
      {event.status === 'DRAFT' && <p class="status">This event is not published yet.</p>}
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

/** `method` is the value of the chosen way to pay; absent when there is nothing to pay. */
type Values = { tierId: string; quantity: string; code: string; method?: string };

interface BuyFormProps extends Sale {
  /** The code that is applied, which the address has; empty for none. */
  code: string;
  reload?: () => Promise<void>;
}

function BuyForm({ event, paymentMethods, code, reload }: BuyFormProps) {
  const { user } = useSession();
  const { route } = useLocation();
  const [chosen, choose] = useState({ tierId: '', quantity: 1 });
  const onSale = event.tiers.filter(isOnSale);
  const tier = onSale.find(({ id }) => id === chosen.tierId) ?? onSale[0];
  const offer = useOffer(event, paymentMethods, tier, chosen.quantity, code);
  const key = useRef<string>(undefined);
  const apply = (text: string) => {
    key.current = undefined;
    const query = text && `?${new URLSearchParams({ code: text })}`;
    route(`/events/${event.id}${query}`, true);
  };

  /** Orders, then goes where the order is paid; a free one is paid already. */
  const buy = async ({ tierId, quantity, method, code: entered }: Values) => {
    // The buyer sees a code's discount before ordering.
    if (entered.trim() !== code) return apply(entered.trim());
    if (!user) return route(loginPath());
    const body = {
      eventId: event.id,
      tierId,
      quantity: Number(quantity),
      // Free tickets have no way to pay, and any is accepted.
      paymentMethod: 'FIAT' as const,
      ...chosenWay(offer.paymentMethods, method),
      ...(code && { code }),
    };
    key.current ??= crypto.randomUUID();
    try {
      const { orderId, checkoutUrl } = await ok(initializeOrder(body, { idempotencyKey: key.current }));
      if (!checkoutUrl) return route(`/orders/${orderId}`);
      location.assign(checkoutUrl);
      // The form stays busy until the page is left.
      await new Promise(() => {});
    } catch (error) {
      // The order may have been made all the same: then the next try asks for the same one.
      if (!isUncertain(error)) key.current = undefined;
      // Most likely others were faster: show what is left now.
      await reload?.();
      throw error;
    }
  };

  return (
    <div class="panel">
      <Form<Values>
        submit={user ? 'Buy' : 'Sign in to buy'}
        disabled={onSale.length === 0 || offer.isUnpayable}
        onSubmit={buy}
        onInput={({ currentTarget }) => {
          const values = new FormData(currentTarget);
          key.current = undefined;
          choose({ tierId: `${values.get('tierId')}`, quantity: Number(values.get('quantity')) });
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
        {offer.isUnpayable && <p class="status">There is no way to pay for these tickets at present.</p>}
        {offer.paymentMethods.length > 0 && (
          <fieldset>
            <legend>Pay with</legend>
            <div class="choices row">
              {offer.paymentMethods.map((method, index) => (
                <Choice
                  key={fieldValue(method)}
                  name="method"
                  value={fieldValue(method)}
                  defaultChecked={index === 0}
                  required
                >
                  {method.name}
                </Choice>
              ))}
            </div>
          </fieldset>
        )}
        <div class="beside">
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
              apply(form ? `${new FormData(form).get('code')}`.trim() : '')
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

interface Offer {
  /** Whole units; undefined while there is nothing to buy. */
  total: number | string | undefined;
  /** The code's discount; undefined without a code. */
  discount: number | undefined;
  /** The error of an invalid code. */
  error?: unknown;
  /** The ways to pay the total; none when there is nothing to pay. */
  paymentMethods: PaymentMethod[];
  /** Whether something is to pay, and there is no way to. */
  isUnpayable: boolean;
}

/**
 * Returns the price of the tickets and the ways to pay it. With a code, requests a quote from the API, which also checks
 * the code. Requests one also for currencies with thousandths: not every gateway supports every amount in them.
 */
function useOffer(
  { id, currency }: Event,
  paymentMethods: PaymentMethod[],
  tier: Tier | undefined,
  quantity: number,
  code: string,
): Offer {
  const isChosen = tier !== undefined && Number.isInteger(quantity) && quantity > 0;
  const isQuoted = code !== '' || decimalsOf(currency) === 3;
  const quoted = useResource(
    async () =>
      isChosen && isQuoted
        ? ok(quoteOrder(id, { tierId: tier.id, quantity, ...(code && { code }) }))
        : undefined,
    [id, isChosen && tier.id, quantity, code],
  );
  const quote = quoted.state === 'ready' ? quoted.value : undefined;
  const total = quote?.total ?? (isChosen ? totalWithFee(tier.price, quantity, currency) : undefined);
  const isFree = Number(total ?? 0) === 0;
  const ways = quote?.paymentMethods ?? (isFree ? [] : paymentMethods);
  return {
    total,
    discount: code ? quote?.discount : undefined,
    ...(quoted.state === 'failed' && { error: quoted.error }),
    paymentMethods: ways,
    isUnpayable: !isFree && ways.length === 0,
  };
}

/** A way to pay as the value of a field. */
function fieldValue({ paymentMethod, gateway }: PaymentMethod): string {
  return gateway ?? paymentMethod;
}

/** The chosen way to pay, as an order names it. */
function chosenWay(methods: PaymentMethod[], value: string | undefined) {
  const chosen = methods.find((method) => fieldValue(method) === value);
  return chosen && { paymentMethod: chosen.paymentMethod, gateway: chosen.gateway };
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
