import { type Event, initializeOrder, ok, type Tier } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Choice } from '../components/choice.tsx';
import { Field, Form } from '../components/form.tsx';
import { Money, Price } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { EventTime } from '../components/time.tsx';
import { useResource } from '../components/use-resource.ts';
import { config } from '../config.ts';
import { getPublicEvent } from '../find-event.ts';
import { placeOf, titleCase, whatIsLeft } from '../format.ts';
import { totalWithFee } from '../money.ts';
import { loginPath, Unreachable } from '../session/session.ts';
import { useSession } from '../session/user.tsx';

/** What the API takes in one order. */
const maximumOrderTickets = 500;

/** One event, and buying tickets to it. */
export function EventPage() {
  const { id = '' } = useRoute().params;
  const found = useResource(() => getPublicEvent(id), [id]);
  return (
    <Page title={found.state === 'ready' ? found.value.title : 'Event'}>
      <Loaded of={found}>
        {(event) => (
          <article class="two-columns">
            <Description event={event} />
            {event.status === 'PUBLISHED' && (
              <BuyForm event={event} reload={found.state === 'ready' ? found.reload : undefined} />
            )}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

function Description({ event }: { event: Event }) {
  return (
    <section>
      <p class="quiet">{titleCase(event.category)}</p>
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
      {/* Pictures may also be at ipfs addresses, which browsers can't show. */}
      {event.imageUrl.startsWith('https:') && <img src={event.imageUrl} alt="" />}
      {event.description && <p class="prose">{event.description}</p>}
    </section>
  );
}

type Gateway = 'gateway-a' | 'gateway-b' | 'gateway-c';
type Values = { tierId: string; quantity: string; gateway: Gateway };
const gateways: Gateway[] = ['gateway-a', 'gateway-b', 'gateway-c'];

function BuyForm({ event, reload }: { event: Event; reload?: () => Promise<void> }) {
  const { user } = useSession();
  const { route } = useLocation();
  const [chosen, choose] = useState({ tierId: '', quantity: 1 });
  const onSale = event.tiers.filter(({ available }) => available > 0);
  const tier = onSale.find(({ id }) => id === chosen.tierId) ?? onSale[0];
  const key = useRef<string>(undefined);

  /** Orders, then goes where the order is paid; a free one is paid already. */
  const buy = async ({ tierId, quantity, gateway }: Values) => {
    if (!user) return route(loginPath());
    const body = {
      eventId: event.id,
      tierId,
      quantity: Number(quantity),
      gateway,
      paymentMethod: 'FIAT',
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
        <p class="total">
          Total
          <output>
            {tier && Number.isInteger(chosen.quantity) && chosen.quantity > 0 && (
              <Money
                amount={totalWithFee(tier.price, chosen.quantity, event.currency)}
                currency={event.currency}
              />
            )}
          </output>
          <small class="quiet">with the fee of 2.5 %</small>
        </p>
      </Form>
    </div>
  );
}

function TierChoice({ tier, currency, isChosen }: { tier: Tier; currency: string; isChosen: boolean }) {
  return (
    <Choice
      class="tier"
      name="tierId"
      value={tier.id}
      checked={isChosen}
      disabled={tier.available === 0}
      required
    >
      <span>
        <b>{tier.name}</b>
        {tier.description && <span class="quiet">{tier.description}</span>}
      </span>
      <span class="right">
        <b>
          <Price amount={tier.price} currency={currency} />
        </b>
        <span class="quiet">{whatIsLeft(tier.available)}</span>
      </span>
    </Choice>
  );
}
