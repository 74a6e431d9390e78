import { getOrder, type OrderWithAdmissions, ok, sendTickets } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Failure } from './resource.tsx';

/** The mail with an order's tickets: how far it is, and a way to have it sent again. */
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
      <h2>By mail</h2>
      <p role="status">
        {isSent
          ? `Your tickets are on their way to ${order.customerEmail}.`
          : describe(mail, order.customerEmail)}
      </p>
      <button type="button" onClick={send}>
        Send the tickets again
      </button>
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}

function describe(mail: OrderWithAdmissions['mail'], address: string): string {
  if (mail?.status === 'sent') return `Your tickets were mailed to ${address}.`;
  if (mail?.status === 'waiting') return `Your tickets are on their way to ${address}.`;
  if (mail?.status === 'failed')
    return `Your tickets could not be mailed to ${address}. They are valid all the same.`;
  return `Your tickets can be mailed to ${address}.`;
}
