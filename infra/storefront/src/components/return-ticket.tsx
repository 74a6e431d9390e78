import { endReturn, type OrderWithAdmissions, ok, quoteReturn, returnSeats } from 'boxoffice-client';
import { formatMoney } from '../money.ts';
import { t } from '../texts/orders.ts';
import { Confirmation } from './confirmation.tsx';
import { Loaded, useResource } from './resource.tsx';
import { Time } from './values.tsx';

interface ReturnTicketProps {
  order: OrderWithAdmissions;
  number: number;
  /** Reloads the order. */
  onChange: () => Promise<void>;
}

/** Returns a ticket of the buyer's, after showing what goes back. A listed ticket can be kept. */
export function ReturnTicket({ order, number, onChange }: ReturnTicketProps) {
  const listed = order.openReturns.find(({ seats }) => seats.includes(number));
  if (listed) return <ListedTicket {...{ order, number, onChange }} listed={listed} />;
  const returnTicket = async () => {
    await ok(returnSeats(order.id, { seats: [number] }));
    await onChange();
  };
  const isListed = order.returns?.mode === 'when-resold';
  return (
    <Confirmation
      button={t('return.button')}
      title={t('return.title', { number })}
      submit={t(isListed ? 'return.offer' : 'return.submit')}
      onConfirm={returnTicket}
    >
      <Quote order={order} number={number} />
      <p>{t(isListed ? 'return.untilPaid' : 'return.final')}</p>
    </Confirmation>
  );
}

function ListedTicket({
  order,
  number,
  onChange,
  listed,
}: ReturnTicketProps & { listed: OrderWithAdmissions['openReturns'][number] }) {
  const keep = async () => {
    await ok(endReturn(order.id, listed.id));
    await onChange();
  };
  return (
    <>
      <p>
        {t(listed.status === 'offered' ? 'return.offered' : 'return.listed')} {t('return.validUntilTaken')}
      </p>
      <Quote order={order} number={number} />
      <Confirmation
        button={t('return.keep')}
        title={t('return.keepTitle', { number })}
        submit={t('return.keepSubmit')}
        onConfirm={keep}
      >
        <p>
          {listed.seats.length > 1
            ? t('return.keepTogether', { numbers: listed.seats.join(', ') })
            : t('return.keepOne')}
        </p>
      </Confirmation>
    </>
  );
}

function Quote({ order, number }: Pick<ReturnTicketProps, 'order' | 'number'>) {
  const resource = useResource(() => ok(quoteReturn(order.id, String(number))), [order.id, number]);
  const isListed = order.returns?.mode === 'when-resold';
  return (
    <Loaded of={resource}>
      {({ quote: { refundAmount, fee, currency, until } }) => (
        <p>
          {t(`return.${fee > 0 ? 'part' : 'whole'}${isListed ? 'WhenTaken' : ''}`, {
            amount: <b>{formatMoney(refundAmount, currency)}</b>,
            fee: formatMoney(fee, currency),
          })}{' '}
          {t('return.until', { time: <Time at={until} /> })}
        </p>
      )}
    </Loaded>
  );
}
