import { getEvent, getOrder, listOrders, type Order, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { guestOrderIds } from '../session/order-tokens.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/shop.ts';
import { Remaining } from './hold-countdown.tsx';
import { useResource } from './resource.tsx';

interface HeldOrder {
  order: Order;
  title: string;
}

/**
 * The visitor's orders that are reserved and not paid yet, with the time that is left and a link to pay. Nothing is shown
 * without such an order, nor when they can't be loaded.
 * @param eventId only orders of this event
 */
export function HeldOrders({ eventId }: { eventId?: string }) {
  const { user } = useSession();
  const resource = useResource(() => findHeldOrders(user?.id, eventId), [user?.id, eventId]);
  if (resource.state !== 'ready') return null;
  return (
    <>
      {resource.value.map((held) => (
        <HeldOrderNotice key={held.order.id} {...held} />
      ))}
    </>
  );
}

function HeldOrderNotice({ order, title }: HeldOrder) {
  const [hasEnded, setEnded] = useState(false);
  if (hasEnded) return null;
  return (
    <p class="status held">
      <span>
        {t('held.notice', {
          count: order.quantity,
          title,
          remaining: <Remaining endsAt={Date.parse(order.expiresAt)} onEnd={() => setEnded(true)} />,
        })}
      </span>
      <a class="button primary" href={`/orders/${order.id}`}>
        {t('held.pay')}
      </a>
    </p>
  );
}

async function findHeldOrders(userId: string | undefined, eventId: string | undefined): Promise<HeldOrder[]> {
  // Somebody else may have placed an order of a guest with the account's address, and should not be paid for it.
  const orders = userId
    ? (await ok(listOrders({ limit: 20 }))).orders.filter((order) => order.userId === userId)
    : (await Promise.allSettled(guestOrderIds().map((id) => ok(getOrder(id))))).flatMap((result) =>
        result.status === 'fulfilled' ? [result.value.order] : [],
      );
  const held = orders.filter(
    (order) =>
      order.paymentStatus === 'PENDING' &&
      Date.parse(order.expiresAt) > Date.now() &&
      (eventId ?? order.eventId) === order.eventId,
  );
  return Promise.all(
    held.map(async (order) => ({ order, title: (await ok(getEvent(order.eventId))).event.title })),
  );
}
