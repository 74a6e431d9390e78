import { acceptTransfer, ok, type Seat, type User } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { WhenAndWhere } from '../components/values.tsx';

/** The page that the link to an offered ticket opens. Its recipient accepts the ticket here. */
export function TransferPage({ user }: { user: User }) {
  const { token = '' } = useRoute().params;
  const [seat, setSeat] = useState<Seat>();
  const accept = async () => setSeat((await ok(acceptTransfer(token))).seat);
  return (
    <Page title="A ticket for you">
      <div class="panel narrow">
        <h1>A ticket for you</h1>
        {seat ? (
          <>
            <p class="good" role="status">
              The ticket to {seat.event.title} is yours.
            </p>
            <WhenAndWhere event={seat.event} />
            <p>
              <a href="/tickets">See your tickets</a>
            </p>
          </>
        ) : (
          <>
            <p>
              Somebody offers you a ticket. You can accept it if it was offered to <b>{user.email}</b>.
            </p>
            <Form submit="Accept the ticket" onSubmit={accept}>
              {null}
            </Form>
          </>
        )}
      </div>
    </Page>
  );
}
