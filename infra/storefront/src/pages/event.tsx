import { type Event, initializeOrder, ok, quoteOrder, type Tier } from 'boxoffice-client';
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
import { getPublicEvent } from '../find-event.ts';
import { placeOf, shortTime, whatIsLeft } from '../format.ts';
import { totalWithFee } from '../money.ts';
import { loginPath, Unreachable } from '../session/session.ts';
import { useSession } from '../session/user.tsx';

/** What the API takes in one order. */
const maximumOrderTickets = 500;

/** One event, and buying tickets to it. A code in the address, `?code=`, opens hidden tiers. */
export function EventPage() {
  const {
    params: { id = '' },
    query: { code = '' },
  } = useRoute();
  const latest = useRef(code);
  latest.current = code;
  const found = useResource(() => eventWith(id, latest.current), [id]);
  const shown = found.state === 'ready' ? found : undefined;
  useEffect(() => {
    void shown?.reload();
  }, [code]);
  return (
    <Page title={found.state === 'ready' ? found.value.title : 'Event'}>
      <Loaded of={found}>
        {(event) => (
          <article class="two-columns">
            <Description event={event} />
            {event.status === 'PUBLISHED' && <BuyForm event={event} code={code} reload={shown?.reload} />}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

/** The event with the tiers that a code opens. What is wrong with the code, its quote says. */
function eventWith(id: string, code: string): Promise<Event> {
  return code ? getPublicEvent(id, code).catch(() => getPublicEvent(id)) : getPublicEvent(id);
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
        {placeOf(event)}
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

type Gateway = 'gateway-a' | 'gateway-b' | 'gateway-c';
type Values = { tierId: string; quantity: string; code: string; gateway: Gateway };
const gateways: Gateway[] = ['gateway-a', 'gateway-b', 'gateway-c'];

interface BuyFormProps {
  event: Event;
  /** The code that is applied, which the address has; empty for none. */
  code: string;
  reload?: () => Promise<void>;
}

function BuyForm({ event, code, reload }: BuyFormProps) {
  const { user } = useSession();
  const { route } = useLocation();
  const [chosen, choose] = useState({ tierId: '', quantity: 1 });
  const onSale = event.tiers.filter(isOnSale);
  const tier = onSale.find(({ id }) => id === chosen.tierId) ?? onSale[0];
  const key = useRef<string>(undefined);
  const apply = (text: string) => {
    key.current = undefined;
    const query = text && `?${new URLSearchParams({ code: text })}`;
    route(`/events/${event.id}${query}`, true);
  };

  /** Orders, then goes where the order is paid; a free one is paid already. */
  const buy = async ({ tierId, quantity, gateway, code: entered }: Values) => {
    // What a code takes off is shown before anything is bought with it.
    if (entered.trim() !== code) return apply(entered.trim());
    if (!user) return route(loginPath());
    const body = {
      eventId: event.id,
      tierId,
      quantity: Number(quantity),
      gateway,
      paymentMethod: 'FIAT',
      ...(code && { code }),
    } as const;
    key.current ??= crypto.randomUUID();
    try {
      const { orderId, checkoutUrl } = await ok(initializeOrder(body, { idempotencyKey: key.current }));
      if (!checkoutUrl) return route(`/orders/${orderId}`);
      location.assign(checkoutUrl);
      // The form stays busy until the page is left.
      await new Promise(() => {});
    } catch (error) {
      // Without an answer the order may have been made: the next try asks for the same one.
      if (!(error instanceof Unreachable)) key.current = undefined;
      // Most likely others were faster: show what is left now.
      await reload?.();
      throw error;
    }
  };

  return (
    <div class="panel">
      <Form<Values>
        submit={user ? 'Buy' : 'Sign in to buy'}
        disabled={onSale.length === 0}
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
        <fieldset>
          <legend>Pay through</legend>
          <div class="choices row">
            {gateways.map((gateway, index) => (
              <Choice key={gateway} name="gateway" value={gateway} defaultChecked={index === 0}>
                {`Gateway ${gateway.slice(-1).toUpperCase()}`}
              </Choice>
            ))}
          </div>
        </fieldset>
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
        {tier && Number.isInteger(chosen.quantity) && chosen.quantity > 0 && (
          <Total
            key={`${code} ${tier.id} ${chosen.quantity}`}
            event={event}
            tier={tier}
            quantity={chosen.quantity}
            code={code}
          />
        )}
      </Form>
    </div>
  );
}

interface TotalProps {
  event: Event;
  tier: Tier;
  quantity: number;
  code: string;
}

/** What the tickets cost. With a code the API is asked, which says as well what is wrong with the code. */
function Total({ event: { id, currency }, tier, quantity, code }: TotalProps) {
  const quoted = useResource(
    async () => (code ? ok(quoteOrder(id, { tierId: tier.id, quantity, code })) : undefined),
    [],
  );
  const quote = quoted.state === 'ready' ? quoted.value : undefined;
  return (
    <>
      {quoted.state === 'failed' && <Failure error={quoted.error} />}
      {quote && (
        <p class="status" role="status">
          {quote.discount > 0 ? (
            <>
              Your code takes off <Money amount={quote.discount} currency={currency} />.
            </>
          ) : (
            'Your code is accepted.'
          )}
        </p>
      )}
      <p class="total">
        Total
        <output>
          <Money
            amount={quote ? quote.total : totalWithFee(tier.price, quantity, currency)}
            currency={currency}
          />
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

/** Whether there are tickets of a tier, or when. */
function saleOf({ available, saleStart, saleEnd }: Tier): string {
  const now = Date.now();
  if (Date.parse(saleEnd) < now) return 'The sale has ended';
  if (Date.parse(saleStart) > now) return `On sale from ${shortTime(saleStart)}`;
  return whatIsLeft(available);
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
        <span class="quiet">{saleOf(tier)}</span>
      </span>
    </Choice>
  );
}
