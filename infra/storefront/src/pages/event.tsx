import { type Event, initializeOrder, ok, type PaymentMethod } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { CodeField } from '../buying/code-field.tsx';
import { PriceLines, useOffer } from '../buying/offer.tsx';
import { methodName } from '../buying/payment-methods.ts';
import {
  type ChosenItem,
  findTooFew,
  itemsOf,
  onlyTier,
  pathOf,
  readQuantities,
  type Selection,
  toRequestedItems,
  whyNotOnSale,
} from '../buying/selection.ts';
import { TierQuantities } from '../buying/tier-quantities.tsx';
import { useRevealedTier, useSale } from '../buying/use-sale.ts';
import { EventPicture } from '../components/event-card.tsx';
import { EventHead } from '../components/event-head.tsx';
import { Choice, Field, Form } from '../components/form.tsx';
import { HeldOrders } from '../components/held-orders.tsx';
import { JoinList } from '../components/join-list.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Page } from '../components/page.tsx';
import {
  findUnchosen,
  groupQuestions,
  isAnswered,
  QuestionFields,
  readAnswers,
} from '../components/questions.tsx';
import { QueueGate } from '../components/queue-gate.tsx';
import { Loaded } from '../components/resource.tsx';
import { isOnSale, quantityField } from '../components/tier-quantity.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { ShareButton, Time } from '../components/values.tsx';
import { config } from '../config.ts';
import { FieldsRefused, isRefusal, messageOf } from '../errors.ts';
import type { Sale } from '../find-event.ts';
import { formatMoney } from '../money.ts';
import { rememberOrder } from '../session/order-tokens.ts';
import { loginPath } from '../session/session.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/shop.ts';
import { language } from '../texts/texts.ts';

/** An event, and the form to buy its tickets. A code in the address (`?code=`) reveals hidden tiers. */
export function EventPage() {
  const {
    params: { id = '' },
    query: { code = '' },
  } = useRoute();
  const resource = useSale(id, code);
  const reload = resource.state === 'ready' ? resource.reload : undefined;
  return (
    <Page
      title={resource.state === 'ready' ? resource.value.event.title : t('event.title')}
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

function EventDetails({ event }: { event: Event }) {
  return (
    <section class="details">
      {event.description && <Markdown text={event.description} />}
      {event.status === 'PUBLISHED' && (
        <p class="actions">
          <a class="button" href={`${config.apiUrl}/api/events/${event.id}/calendar`} download>
            {t('event.calendar')}
          </a>
          <ShareButton title={event.title} url={`${location.origin}/events/${event.id}`} />
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
  useRevealedTier(tiersOnSale, selection.quantities, (quantities) => select({ quantities }));
  const items = itemsOf(event, selection);
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
      language,
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
        submit={hasToSignIn ? t('buy.signIn') : payLabel(event, offer.total)}
        instead={tiersOnSale.length === 0 && <p class="status">{whyNotOnSale(event)}</p>}
        disabled={offer.isUnpayable || (!hasToSignIn && items.length === 0)}
        validate={(data) => ({ ...findTooFew(items), ...findUnchosen(data, groups) })}
        onSubmit={buy}
        onInput={reset}
        class="buy-form"
      >
        <TierQuantities
          event={event}
          quantities={selection.quantities}
          onChange={(quantities) => select({ quantities })}
        />
        {isGuest && (
          <>
            <Field name="customer.name" label={t('buy.name')} autocomplete="name" maxLength={100} required />
            <Field
              name="customer.email"
              label={t('buy.email')}
              hint={t('buy.emailHint')}
              type="email"
              autocomplete="email"
              required
            />
          </>
        )}
        {!hasToSignIn && <QuestionFields groups={groups} />}
        {offer.isUnpayable && <p class="status">{t('buy.unpayable')}</p>}
        {offer.paymentMethods.length > 0 && (
          <fieldset>
            <legend>{t('buy.payWith')}</legend>
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
                  {methodName(method, event)}
                </Choice>
              ))}
            </div>
          </fieldset>
        )}
        <CodeField code={code} onApply={applyCode} />
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
  const values = { time: <Time at={until} />, percent: feePercent };
  const key = feePercent > 0 ? 'part' : 'whole';
  return <p class="quiet">{t(`returns.${key}${mode === 'when-resold' ? 'WhenResold' : ''}`, values)}</p>;
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

/** Converts the refusal of a tier to an error that is shown at the tier. Returns any other error unchanged. */
function atItsTier(error: unknown): unknown {
  const tierId = isRefusal(error, 409) && error.headers.get('x-error-tier');
  return tierId ? new FieldsRefused({ [quantityField({ id: tierId })]: messageOf(error) }) : error;
}

/** The label of the button: `Pay 102.50 €`. */
function payLabel({ currency }: Event, total: number | string | undefined): string {
  if (total === undefined) return t('buy.choose');
  return Number(total) === 0 ? t('buy.free') : t('buy.pay', { amount: formatMoney(total, currency) });
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
