import {
  initializeOrder,
  leaveWaitingList,
  listOwnEntries,
  ok,
  type WaitingListEntry,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { methodName } from '../buying/payment-methods.ts';
import { Choice, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import {
  findUnchosen,
  groupQuestions,
  isAnswered,
  QuestionFields,
  readAnswers,
} from '../components/questions.tsx';
import { Failure, Loaded, useResource } from '../components/resource.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { Time } from '../components/values.tsx';
import { findSale, type Sale, tierName } from '../find-event.ts';
import { t } from '../texts/orders.ts';
import { language } from '../texts/texts.ts';

interface Place {
  entry: WaitingListEntry;
  /** Undefined when the event is no longer visible. */
  sale: Sale | undefined;
}

async function loadPlaces(): Promise<Place[]> {
  const { entries } = await ok(listOwnEntries());
  const sales = new Map<string, Promise<Sale | undefined>>();
  for (const { eventId } of entries) if (!sales.has(eventId)) sales.set(eventId, findSale(eventId));
  return Promise.all(entries.map(async (entry) => ({ entry, sale: await sales.get(entry.eventId) })));
}

/** The visitor's places in waiting lists. Only its buttons take or decline an offer. */
export function WaitingListPage() {
  const resource = useResource(loadPlaces, []);
  return (
    <Page title={t('waiting.title')}>
      <h1>{t('waiting.title')}</h1>
      <Loaded of={resource}>
        {(places) =>
          places.length === 0 ? (
            <p>{t('waiting.none')}</p>
          ) : (
            <ul class="list">
              {places.map((place) => (
                <PlaceItem
                  key={place.entry.id}
                  {...place}
                  reload={async () => {
                    if (resource.state !== 'loading') await resource.reload();
                  }}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function PlaceItem({ reload, ...place }: Place & { reload: () => Promise<void> }) {
  const { entry, sale } = place;
  const { route } = useLocation();
  const { sendOnce, reset } = useIdempotencyKey();
  const [error, setError] = useState<unknown>();
  const run = async (step: () => Promise<void>) => {
    try {
      setError(undefined);
      await step();
    } catch (failure) {
      setError(failure);
      await reload();
    }
  };
  const { id, eventId, tierId, quantity, offer, status, position } = entry;
  const methods = sale?.paymentMethods ?? [];
  const groups =
    sale?.event.questionsWhen === 'order' ? groupQuestions(sale.event.questions, toItems(place)) : [];
  const buy = async ({ method: index }: { method?: string }, form: HTMLFormElement) => {
    const { paymentMethod = 'FIAT', gateway } = methods[Number(index)] ?? {};
    const answers = readAnswers(new FormData(form), groups).filter(isAnswered);
    const body = {
      eventId,
      language,
      tierId,
      quantity,
      paymentMethod,
      ...(gateway && { gateway }),
      ...(answers.length > 0 && { answers }),
      offerId: offer?.id,
    } as const;
    const order = await sendOnce((options) => ok(initializeOrder(body, options)));
    if (order.checkoutUrl) location.assign(order.checkoutUrl);
    else route(`/orders/${order.orderId}`);
  };
  const leave = () =>
    run(async () => {
      await ok(leaveWaitingList(id));
      await reload();
    });
  return (
    <li class="panel">
      <h2>
        <a href={`/events/${eventId}`}>{sale?.event.title ?? t('waiting.noEvent')}</a>
      </h2>
      <p>
        {quantity} × {tierName(sale?.event, tierId)}
      </p>
      {offer ? (
        <p class="status good">{t('waiting.held', { time: <Time at={offer.expiresAt} /> })}</p>
      ) : (
        <p class="quiet">{describe(status, position)}</p>
      )}
      {offer && (
        <Form
          submit={t('waiting.take')}
          validate={(data) => findUnchosen(data, groups)}
          onSubmit={buy}
          onInput={reset}
        >
          <QuestionFields groups={groups} />
          {methods.length > 0 && (
            <fieldset>
              <legend>{t('waiting.payWith')}</legend>
              <div class="choices row">
                {methods.map((method, index) => (
                  <Choice key={method.name} name="method" value={`${index}`} checked={index === 0} required>
                    {sale && methodName(method, sale.event)}
                  </Choice>
                ))}
              </div>
            </fieldset>
          )}
        </Form>
      )}
      {(status === 'waiting' || status === 'offered') && (
        <p class="actions">
          <button type="button" onClick={leave}>
            {t(offer ? 'waiting.decline' : 'waiting.leave')}
          </button>
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
    </li>
  );
}

/** The tickets of an offer, as they will be numbered. */
function toItems({ entry: { tierId, quantity }, sale }: Place) {
  return [{ tierId, name: tierName(sale?.event, tierId), kind: 'ticket', quantity, firstNumber: 1 } as const];
}

function describe(status: WaitingListEntry['status'], position: number | null): string {
  switch (status) {
    case 'waiting':
      return position !== null && position < 1000 ? t('waiting.place', { position }) : t('waiting.far');
    case 'ordered':
      return t('waiting.ordered');
    case 'left':
      return t('waiting.left');
    default:
      return t('waiting.ended');
  }
}
