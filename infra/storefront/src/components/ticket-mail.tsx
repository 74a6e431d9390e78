import { getOrder, type OrderWithAdmissions, ok, sendTickets } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { t } from '../texts/orders.ts';
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
      <h2>{t('mail.title')}</h2>
      <p role="status">{t(`mail.${isSent ? 'waiting' : stateOf(mail)}`, { email: order.customerEmail })}</p>
      <button type="button" onClick={send}>
        {t('mail.again')}
      </button>
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}

function stateOf(mail: OrderWithAdmissions['mail']) {
  if (!mail || mail.status === 'dropped') return 'none';
  return mail.reason === 'bounced' ? 'bounced' : mail.status;
}
