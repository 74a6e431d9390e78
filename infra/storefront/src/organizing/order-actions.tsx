import {
  type Event,
  fulfilOrder,
  type OrderWithAdmissions,
  ok,
  refundOrder,
  reissueOrder,
  sendTickets,
  type User,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Confirmation } from '../components/confirmation.tsx';
import { Field } from '../components/form.tsx';
import { Failure } from '../components/resource.tsx';
import { formatMoney, subtract } from '../money.ts';
import { t } from '../texts/organizing.ts';

interface OrderActionsProps {
  order: OrderWithAdmissions;
  event: Event;
  user: User;
  /** Reloads the order. */
  onChange: () => Promise<void>;
}

/** The actions of the organizer and managers on a paid order in its current state. */
export function OrderActions({ order, event, user, onChange }: OrderActionsProps) {
  const [error, setError] = useState<unknown>();
  const [message, setMessage] = useState('');
  const run = async (action: () => Promise<unknown>, successMessage: string) => {
    setError(undefined);
    setMessage('');
    try {
      await action();
      setMessage(successMessage);
      await onChange();
    } catch (failure) {
      setError(failure);
    }
  };
  const can = actionsFor(order, event, user);
  return (
    <>
      <div class="actions">
        {can.sendTickets && (
          <button
            type="button"
            onClick={() =>
              run(() => ok(sendTickets(order.id)), t('orders.ticketsSent', { email: order.customerEmail }))
            }
          >
            {t('sendTickets')}
          </button>
        )}
        {can.fulfil && (
          <button type="button" onClick={() => run(() => ok(fulfilOrder(order.id)), t('orders.minting'))}>
            {t('orders.mint')}
          </button>
        )}
        {can.reissue && <Reissue order={order} onChange={onChange} />}
        {can.refund && <Refund order={order} onChange={onChange} />}
        {can.refundPart && <PartialRefund order={order} onChange={onChange} />}
      </div>
      {can.isRefundTooLate && <p class="quiet">{t('orders.tooLate')}</p>}
      <p role="status">{message}</p>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

/** Returns which actions to offer for an order. The API makes the final decision. */
function actionsFor(order: OrderWithAdmissions, event: Event, user: User) {
  const { paymentStatus, fulfilment, refund, reissue, seats, admissions, quantity } = order;
  const isPaid = paymentStatus === 'COMPLETED';
  const isCancelled = event.status === 'CANCELLED';
  const hasTickets = isPaid && !refund && fulfilment.status !== 'refund-due' && !isCancelled;
  const refundedSeats = order.refunds.flatMap((part) => part.seats);
  // A user who is the buyer gets `admissions` for the tickets that they still hold, and no `seats`.
  const hasTransfer =
    order.userId === user.id
      ? hasTickets && admissions.length + refundedSeats.length < quantity
      : seats.some(({ isTransferred }) => isTransferred);
  const isUsed = hasTransfer || [...seats, ...admissions].some(({ checkedInAt }) => checkedInAt);
  const isUnminted = ['failed', 'not-needed'].includes(fulfilment.status);
  return {
    sendTickets: hasTickets,
    fulfil:
      hasTickets && isUnminted && event.contractAddress !== null && !(hasTransfer && event.entry === 'token'),
    reissue:
      hasTickets &&
      !hasTransfer &&
      (fulfilment.status === 'minted' || (fulfilment.status === 'failed' && reissue !== null)),
    // A cancelled event refunds its orders by itself.
    refund: refund ? refund.status === 'failed' : isPaid && !isCancelled && !isUsed,
    refundPart: hasTickets && order.refundedAmount < (order.paidAmount ?? 0),
    isRefundTooLate: isPaid && !refund && !isCancelled && isUsed,
  };
}

function Refund({ order, onChange }: Pick<OrderActionsProps, 'order' | 'onChange'>) {
  const { currency, totalAmount, paidAmount, refundedAmount, subtotal, discount, quantity, paymentMethod } =
    order;
  const amount = Number(subtract(paidAmount ?? totalAmount, refundedAmount, currency));
  const format = (money: number | string) => formatMoney(money, currency);
  const excess = subtract(paidAmount ?? totalAmount, totalAmount, currency);
  const refund = async () => {
    await ok(refundOrder(order.id));
    await onChange();
  };
  return (
    <Confirmation
      button={t('orders.refund')}
      title={t('orders.refundTitle', { buyer: order.customerName })}
      submit={t('orders.refundSubmit')}
      onConfirm={refund}
    >
      <p>
        {amount > 0
          ? `${Number(excess) > 0 ? t('orders.refundExcess', { amount: format(amount), excess: format(excess) }) : t('orders.refundText', { amount: format(amount) })} ${t('orders.refundBalance', { amount: format(subtract(subtotal, discount, currency)) })}`
          : t('orders.refundNothing')}
      </p>
      <p>
        {t('orders.invalid', { count: quantity })} {t('orders.notified')}
      </p>
      {paymentMethod === 'CRYPTO' && <p>{t('orders.byHand')}</p>}
    </Confirmation>
  );
}

/** Refunds some tickets, or an amount while all tickets stay valid. */
function PartialRefund({ order, onChange }: Pick<OrderActionsProps, 'order' | 'onChange'>) {
  const refund = async ({ seats, amount }: { seats: string; amount: string }) => {
    const numbers = seats.split(/[\s,]+/).filter(Boolean);
    await ok(
      refundOrder(order.id, {
        ...(numbers.length > 0 && { seats: numbers.map(Number) }),
        ...(amount.trim() && { amount: amount.trim() }),
      }),
    );
    await onChange();
  };
  return (
    <Confirmation<{ seats: string; amount: string }>
      button={t('orders.part')}
      title={t('orders.partTitle')}
      submit={t('orders.partSubmit')}
      onConfirm={refund}
    >
      <p>{t('orders.partText')}</p>
      <Field
        name="seats"
        label={t('orders.numbers')}
        hint={t('orders.numbersHint', { maximum: order.quantity })}
        pattern="[\\s,0-9]*"
      />
      <Field name="amount" label={t('orders.amount', { currency: order.currency })} />
    </Confirmation>
  );
}

function Reissue({ order, onChange }: Pick<OrderActionsProps, 'order' | 'onChange'>) {
  const reissue = async ({ walletAddress }: { walletAddress: string }) => {
    await ok(reissueOrder(order.id, { walletAddress: walletAddress.trim() }));
    await onChange();
  };
  return (
    <Confirmation<{ walletAddress: string }>
      button={t('orders.move')}
      title={t('orders.moveTitle')}
      submit={t('orders.moveSubmit')}
      onConfirm={reissue}
    >
      <p>{t('orders.moveText')}</p>
      <Field
        name="walletAddress"
        label={t('orders.wallet')}
        placeholder="0x…"
        autocomplete="off"
        spellcheck={false}
        required
      />
    </Confirmation>
  );
}
