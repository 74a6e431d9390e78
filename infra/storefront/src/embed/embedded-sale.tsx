import { useState } from 'preact/hooks';
import { PriceLines, useOffer } from '../buying/offer.tsx';
import { findTooFew, itemsOf, onlyTier, pathOf, whyNotOnSale } from '../buying/selection.ts';
import { TierQuantities } from '../buying/tier-quantities.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { isOnSale } from '../components/tier-quantity.tsx';
import { WhenAndWhere } from '../components/values.tsx';
import { getPublicSale, type Sale } from '../find-event.ts';
import { t } from '../texts/shop.ts';

/** An event with the choice of its tickets. They are bought on the event's page, in the window of the page around. */
export function EmbeddedSale({ eventId }: { eventId: string }) {
  const resource = useResource(() => getPublicSale(eventId), [eventId]);
  const event = resource.state === 'ready' ? resource.value.event : undefined;
  return (
    <Page title={event?.title ?? t('event.tickets')} brand={event?.organizer}>
      <Loaded of={resource}>
        {(sale) => (
          <article class="panel">
            <h1>{sale.event.title}</h1>
            <WhenAndWhere event={sale.event} />
            {sale.event.status === 'PUBLISHED' ? (
              <Choice {...sale} />
            ) : (
              <p class="status">{t(sale.event.status === 'CANCELLED' ? 'event.cancelled' : 'event.draft')}</p>
            )}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

function Choice({ event, paymentMethods }: Sale) {
  const tiersOnSale = event.tiers.filter(isOnSale);
  const [quantities, setQuantities] = useState(() => onlyTier(tiersOnSale));
  const items = itemsOf(event, { quantities });
  const offer = useOffer(event, paymentMethods, items, '');
  const openShop = async () => {
    open(pathOf(event, '', { quantities, method: undefined }), '_top');
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
      <PriceLines currency={event.currency} {...offer} />
    </Form>
  );
}
