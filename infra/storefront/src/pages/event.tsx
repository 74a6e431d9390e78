import { type Event, initializeOrder, ok, type PaymentMethod, quoteOrder, type Tier } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { EventPicture } from '../components/event-card.tsx';
import { Choice, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import {
  findUnchosen,
  groupQuestions,
  isAnswered,
  QuestionFields,
  readAnswers,
} from '../components/questions.tsx';
import { Failure, Loaded, useResource } from '../components/resource.tsx';
import { isOnSale, quantityField, TierQuantity } from '../components/tier-quantity.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { EventTime, Money } from '../components/values.tsx';
import { config } from '../config.ts';
import { FieldsRefused, isRefusal, messageOf } from '../errors.ts';
import { getPublicSale, type Sale } from '../find-event.ts';
import { categoryLabel, formatPlace } from '../format.ts';
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
}

function BuyForm({ event, paymentMethods, code, reload }: BuyFormProps) {
  const { user } = useSession();
  const { route } = useLocation();
  const tiersOnSale = event.tiers.filter(isOnSale);
  const [quantities, setQuantities] = useState<Record<string, string>>(() => {
    const [first, ...others] = tiersOnSale;
    return first && others.length === 0 ? { [first.id]: `${first.minPerOrder}` } : {};
  });
  const quantityOf = ({ id }: Tier) => quantities[id] ?? '0';
  const tiers = ticketsFirst(event.tiers);
  const items = tiers.flatMap((tier): ChosenItem[] => {
    const quantity = Number(quantityOf(tier));
    return isOnSale(tier) && Number.isInteger(quantity) && quantity > 0 ? [{ tier, quantity }] : [];
  });
  const offer = useOffer(event, paymentMethods, items, code);
  const groups =
    event.questionsWhen === 'order' ? groupQuestions(event.questions, toNumberedItems(items)) : [];
  const { sendOnce, reset } = useIdempotencyKey();
  const isGuest = !user && event.buyers === 'anyone';
  const hasToSignIn = !user && !isGuest;
  const applyCode = (text: string) => {
    reset();
    const query = text && `?${new URLSearchParams({ code: text })}`;
    route(`/events/${event.id}${query}`, true);
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
      throw atItsTier(error);
    }
  };

  return (
    <div class="panel">
      <Form<Values>
        submit={hasToSignIn ? 'Sign in to buy' : payLabel(event, offer.total)}
        disabled={tiersOnSale.length === 0 || offer.isUnpayable || (!hasToSignIn && items.length === 0)}
        validate={(data) => ({ ...findTooFew(items), ...findUnchosen(data, groups) })}
        onSubmit={buy}
        onInput={reset}
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
                      onChange={(value) => {
                        reset();
                        setQuantities((latest) => ({ ...latest, [tier.id]: value }));
                      }}
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
function payLabel({ tiers, currency }: Event, total: number | string | undefined): string {
  if (!tiers.some(isOnSale)) return tiers.some(({ available }) => available > 0) ? 'Not on sale' : 'Sold out';
  if (total === undefined) return 'Choose tickets';
  return Number(total) === 0 ? 'Order' : `Pay ${formatMoney(total, currency)}`;
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
  const ownTotal = () =>
    totalWithFee(
      items.map(({ tier: { price }, quantity }) => ({ price, quantity })),
      currency,
    );
  const total = quote?.total ?? (isSelected && isFeeOnTop ? ownTotal() : undefined);
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

function Total({ event: { currency, feePaidBy }, total, discount, error }: TotalProps) {
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
        {feePaidBy === 'buyer' && Number(total) > 0 && <small class="quiet">with the fee of 2.5 %</small>}
      </p>
    </>
  );
}
