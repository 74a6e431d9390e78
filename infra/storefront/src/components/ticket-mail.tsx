import { getOrder, type OrderWithAdmissions, ok, sendTickets } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Failure } from './resource.tsx';

/** The state of the mail with an order's tickets, and a button that sends it again. */
export function TicketMail({ order }: { order: OrderWithAdmissions }) {
  const [mail, setMail] = useState(order.mail);
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async () => {
    setError(undefined);
    setSent(false);
    try {
      await ok(sendTickets(order.id));
      setSent(true);
      setMail((await ok(getOrder(order.id))).order.mail);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <section class="part">
      <h2>Tickets by e-mail</h2>
      <p role="status">
        {isSent
          ? `Your tickets are on their way to ${order.customerEmail}.`
          : describeMail(mail, order.customerEmail)}
      </p>
      <button type="button" onClick={send}>
        Send the tickets again
      </button>
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}

function describeMail(mail: OrderWithAdmissions['mail'], address: string): string {
  if (mail?.status === 'sent') return `Your tickets were mailed to ${address}.`;
  if (mail?.status === 'waiting') return `Your tickets are on their way to ${address}.`;
  if (mail?.reason === 'bounced')
    return `${address} does not accept mail, so your tickets did not arrive there. They are valid.`;
  if (mail?.status === 'failed') return `Your tickets could not be mailed to ${address}, but they are valid.`;
  return `Your tickets can be mailed to ${address}.`;
}
