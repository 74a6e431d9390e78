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
import { Money } from '../components/values.tsx';
import { subtract } from '../money.ts';

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
              run(() => ok(sendTickets(order.id)), `The tickets are on their way to ${order.customerEmail}.`)
            }
          >
            Send the tickets again
          </button>
        )}
        {can.fulfil && (
          <button
            type="button"
            onClick={() => run(() => ok(fulfilOrder(order.id)), 'The tickets are being minted.')}
          >
            Mint again
          </button>
        )}
        {can.reissue && <Reissue order={order} onChange={onChange} />}
        {can.refund && <Refund order={order} onChange={onChange} />}
        {can.refundPart && <PartialRefund order={order} onChange={onChange} />}
      </div>
      {can.isRefundTooLate && (
        <p class="quiet">
          This order can’t be refunded as a whole any more, since a ticket was checked in or transferred.
          Cancelling the event refunds the order.
        </p>
      )}
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
  const excess = subtract(paidAmount ?? totalAmount, totalAmount, currency);
  const refund = async () => {
    await ok(refundOrder(order.id));
    await onChange();
  };
  return (
    <Confirmation
      button="Refund"
      title={`Refund ${order.customerName}?`}
      submit="Refund the order"
      onConfirm={refund}
    >
      <p>
        {amount > 0 ? (
          <>
            The buyer gets <Money amount={amount} currency={currency} /> back: all that is left of the order,
            with the fee
            {Number(excess) > 0 && (
              <>
                {' '}
                and the <Money amount={excess} currency={currency} /> that were paid too much
              </>
            )}
            . What you earned by the order, at most{' '}
            <Money amount={subtract(subtotal, discount, currency)} currency={currency} />, is taken from your
            balance.
          </>
        ) : (
          'Nothing was paid, so no money goes back.'
        )}
      </p>
      <p>
        {quantity === 1 ? 'The ticket is' : `All ${quantity} tickets are`} no longer valid, and can be sold
        again. The buyer is notified. This can’t be undone.
      </p>
      {paymentMethod === 'CRYPTO' && (
        <p>The order was paid on a chain, so the platform sends the money back by hand.</p>
      )}
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
      button="Refund a part"
      title="Refund a part of the order?"
      submit="Refund the part"
      onConfirm={refund}
    >
      <p>
        For tickets, the buyer gets their part of the payment, with the fee, and they are no longer valid. For
        an amount, all tickets stay valid. The buyer is notified. This can’t be undone.
      </p>
      <Field
        name="seats"
        label="Numbers of the tickets"
        hint={`From 1 to ${order.quantity}, such as 1, 3. Leave it empty to give an amount.`}
        pattern="[\\s,0-9]*"
      />
      <Field name="amount" label={`Amount in ${order.currency}`} />
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
      button="Move to another wallet"
      title="Move the tickets to another wallet?"
      submit="Move the tickets"
      onConfirm={reissue}
    >
      <p>
        For a buyer whose wallet was lost or mistyped. The tickets are destroyed and minted again to the new
        wallet, which takes some minutes. The codes for the door stay valid.
      </p>
      <Field
        name="walletAddress"
        label="New wallet address"
        placeholder="0x…"
        autocomplete="off"
        spellcheck={false}
        required
      />
    </Confirmation>
  );
}
