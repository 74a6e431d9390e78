import { acceptTransfer, type Offer, ok, type Seat, showOffer } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { EventPicture } from '../components/event-card.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { WhenAndWhere } from '../components/values.tsx';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/orders.ts';

/** The page that the link to an offered ticket opens: everybody sees the offer, and its recipient accepts it here. */
export function TransferPage() {
  const { token = '' } = useRoute().params;
  const resource = useResource(() => ok(showOffer(token)), [token]);
  return (
    <Page title={t('transfer.title')}>
      <div class="panel narrow">
        <Loaded of={resource}>{({ offer }) => <OfferedTicket token={token} offer={offer} />}</Loaded>
      </div>
    </Page>
  );
}

function OfferedTicket({ token, offer: { event, tierName, from, email } }: { token: string; offer: Offer }) {
  const { user } = useSession();
  const [seat, setSeat] = useState<Seat>();
  const accept = async () => setSeat((await ok(acceptTransfer(token))).seat);
  const query = new URLSearchParams({ next: location.pathname, email });
  return (
    <>
      <EventPicture event={event} />
      <h1>{t('transfer.title')}</h1>
      <h2>{event.title}</h2>
      <WhenAndWhere event={event} />
      {seat ? (
        <>
          <p class="status good" role="status">
            {t('transfer.isYours', { event: event.title })}
          </p>
          <p>
            <a class="button primary" href="/tickets">
              {t('transfer.seeTickets')}
            </a>
          </p>
        </>
      ) : (
        <>
          <p>{t('transfer.offer', { sender: from, tier: <b>{tierName}</b>, email: <b>{email}</b> })}</p>
          {user ? (
            <Form submit={t('transfer.accept')} onSubmit={accept}>
              {user.email !== email && (
                <p class="status">{t('transfer.otherAccount', { email: user.email })}</p>
              )}
            </Form>
          ) : (
            <p class="actions">
              <a class="button primary" href={`/login?${query}`}>
                {t('transfer.signIn')}
              </a>
              <a class="button" href={`/register?${query}`}>
                {t('transfer.register')}
              </a>
            </p>
          )}
        </>
      )}
    </>
  );
}
