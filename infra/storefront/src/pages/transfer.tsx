import { acceptTransfer, type Offer, ok, type Seat, showOffer } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { EventPicture } from '../components/event-card.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { WhenAndWhere } from '../components/values.tsx';
import { useSession } from '../session/user.tsx';

/** The page that the link to an offered ticket opens: everybody sees the offer, and its recipient accepts it here. */
export function TransferPage() {
  const { token = '' } = useRoute().params;
  const resource = useResource(() => ok(showOffer(token)), [token]);
  return (
    <Page title="A ticket for you">
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
      <h1>A ticket for you</h1>
      <h2>{event.title}</h2>
      <WhenAndWhere event={event} />
      {seat ? (
        <>
          <p class="status good" role="status">
            The ticket to {event.title} is yours.
          </p>
          <p>
            <a class="button primary" href="/tickets">
              See your tickets
            </a>
          </p>
        </>
      ) : (
        <>
          <p>
            {from} offers you a ticket: <b>{tierName}</b>. You can accept it with the account of{' '}
            <b>{email}</b>.
          </p>
          {user ? (
            <Form submit="Accept the ticket" onSubmit={accept}>
              {user.email !== email && (
                <p class="status">
                  You are signed in as {user.email}. Please sign out, and open the link again.
                </p>
              )}
            </Form>
          ) : (
            <p class="actions">
              <a class="button primary" href={`/login?${query}`}>
                Sign in to accept
              </a>
              <a class="button" href={`/register?${query}`}>
                Register
              </a>
            </p>
          )}
        </>
      )}
    </>
  );
}
