import { getQueue, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { CodeField } from '../buying/code-field.tsx';
import { PriceLines, useOffer } from '../buying/offer.tsx';
import { findTooFew, itemsOf, onlyTier, pathOf, whyNotOnSale } from '../buying/selection.ts';
import { TierQuantities } from '../buying/tier-quantities.tsx';
import { useRevealedTier, useSale } from '../buying/use-sale.ts';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { QueueInvitation } from '../components/queue-invitation.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { isOnSale } from '../components/tier-quantity.tsx';
import { WhenAndWhere } from '../components/values.tsx';
import type { Sale } from '../find-event.ts';
import { t } from '../texts/shop.ts';

/** An event with the choice of its tickets. They are bought on the event's page, in the window of the page around. */
export function EmbeddedSale({ eventId, initialCode }: { eventId: string; initialCode: string }) {
  const [code, setCode] = useState(initialCode);
  const resource = useSale(eventId, code);
  const event = resource.state === 'ready' ? resource.value.event : undefined;
  return (
    <Page title={event?.title ?? t('event.tickets')} brand={event?.organizer}>
      <Loaded of={resource}>
        {(sale) => (
          <article class="panel">
            <h1>{sale.event.title}</h1>
            <WhenAndWhere event={sale.event} />
            {sale.event.status !== 'PUBLISHED' ? (
              <p class="status">{t(sale.event.status === 'CANCELLED' ? 'event.cancelled' : 'event.draft')}</p>
            ) : sale.event.queue ? (
              <QueuedChoice {...sale} code={code} onCode={setCode} />
            ) : (
              <Choice {...sale} code={code} onCode={setCode} />
            )}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

interface ChoiceProps extends Sale {
  /** The applied code; empty for none. */
  code: string;
  onCode: (code: string) => void;
}

/** The way to the queue, which is joined in the shop. Once it is over, the choice of tickets. */
function QueuedChoice(props: ChoiceProps) {
  const { event, code } = props;
  const resource = useResource(() => ok(getQueue(event.id)), [event.id]);
  return (
    <Loaded of={resource}>
      {(queue) =>
        queue.state === 'over' ? (
          <Choice {...props} />
        ) : (
          <>
            <QueueInvitation queue={queue} />
            <p>
              <a class="button primary" href={pathOf(event, code, { quantities: {}, method: undefined })}>
                {t('queue.toShop')}
              </a>
            </p>
          </>
        )
      }
    </Loaded>
  );
}

function Choice({ event, paymentMethods, code, onCode }: ChoiceProps) {
  const tiersOnSale = event.tiers.filter(isOnSale);
  const [quantities, setQuantities] = useState(() => onlyTier(tiersOnSale));
  useRevealedTier(tiersOnSale, quantities, setQuantities);
  const items = itemsOf(event, { quantities });
  const offer = useOffer(event, paymentMethods, items, code);
  const openShop = async ({ code: enteredText }: { code: string }) => {
    // An entered code is applied first, so that the buyer sees its discount.
    const enteredCode = enteredText.trim();
    if (enteredCode !== code) onCode(enteredCode);
    else open(pathOf(event, code, { quantities, method: undefined }), '_top');
  };
  return (
    <Form
      submit={t(items.length > 0 ? 'buy.checkout' : 'buy.choose')}
      instead={
        tiersOnSale.length === 0 && (
          <>
            <p class="status">{whyNotOnSale(event)}</p>
            <p>
              <a href={`/events/${event.id}`}>{t('buy.openShop')}</a>
            </p>
          </>
        )
      }
      disabled={items.length === 0}
      validate={() => findTooFew(items)}
      onSubmit={openShop}
    >
      <TierQuantities event={event} quantities={quantities} onChange={setQuantities} />
      <CodeField code={code} onApply={onCode} />
      <PriceLines currency={event.currency} {...offer} />
    </Form>
  );
}
