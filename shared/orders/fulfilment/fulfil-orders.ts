import { toUser } from '../../accounts/users/user.ts';
import { toEvent } from '../../catalog/events/event.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { queueMails } from '../../messaging/mail/queue-mail.ts';
import { log } from '../../runtime/log.ts';
import type { Message } from '../../runtime/messages.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { purchaseMail } from '../notifications.ts';
import { tenantOf, toOrder } from '../order.ts';
import { needsMinting, type OrderContext, postOrders } from './post-orders.ts';

type PaidOrder = Omit<Message<'fulfil-order'>, 'type'>;

/**
 * Fulfils paid orders: notifies and mails the buyers, posts the orders to the ledger, and queues orders to be minted
 * where there is a wallet and a contract. Safe to repeat and to run concurrently.
 * @returns the indexes of the messages to deliver again
 * @throws when the table can't be read or the mint queue fails; all messages are then delivered again
 */
export async function fulfilOrders(messages: readonly PaidOrder[]): Promise<number[]> {
  const { paid: paidOrders = [], unpaid: unpaidOrders = [] } = Object.groupBy(
    await readOrderContexts(messages),
    ({ order }) => (order.paymentStatus === 'COMPLETED' ? 'paid' : 'unpaid'),
  );
  for (const { order } of unpaidOrders) log.warn('Order to fulfil is not paid', { orderId: order.id });
  const postedOrders = (await Promise.all(groupByBalance(paidOrders).map(postOrders))).flat();
  await sendMessages(
    'mint-tickets',
    postedOrders
      .filter(needsMinting)
      .map(({ order }) => ({ message: { type: 'mint-order', orderId: order.id }, tenant: tenantOf(order) })),
  );
  await queueMails(postedOrders.map(({ order }) => purchaseMail(order)));
  const doneIds = new Set([...postedOrders, ...unpaidOrders].map(({ order }) => order.id));
  return messages.flatMap(({ orderId }, index) => (doneIds.has(orderId) ? [] : [index]));
}

/** Reads the orders, events and buyers of the messages, each order once, in one request. */
async function readOrderContexts(messages: readonly PaidOrder[]): Promise<OrderContext[]> {
  const uniqueMessages = [...new Map(messages.map((message) => [message.orderId, message])).values()];
  const items = await getItems(
    uniqueMessages.flatMap(({ orderId, eventId, userId }) => [
      keys.order(orderId),
      keys.event(eventId),
      keys.user(userId),
    ]),
  );
  return uniqueMessages.flatMap(({ orderId }, index) => {
    const [order, event, buyer] = items.slice(3 * index, 3 * index + 3);
    if (order && event && buyer) {
      return [{ order: toOrder(order), event: toEvent(event), buyer: toUser(buyer) }];
    }
    log.error('Nothing to fulfil', new Error('The order, its event or its buyer is missing'), { orderId });
    return [];
  });
}

/** Groups orders by organizer and currency. */
function groupByBalance(orders: readonly OrderContext[]): OrderContext[][] {
  const groups = Map.groupBy(orders, ({ order, event }) => `${event.organizerId} ${order.currency}`);
  return [...groups.values()];
}
