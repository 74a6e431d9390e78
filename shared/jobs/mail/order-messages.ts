import { findUser } from '../../accounts/users/store.ts';
import { toCalendarFile } from '../../catalog/events/calendar.ts';
import { type Event, tierNameOf } from '../../catalog/events/event.ts';
import { formatPlace, formatTime } from '../../catalog/events/format.ts';
import { eventKeys, getEvent, toEventWithTexts } from '../../catalog/events/store.ts';
import { notFound } from '../../core/errors.ts';
import { formatMoney } from '../../core/money.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { findAccessToken } from '../../orders/access-token.ts';
import { lateReason } from '../../orders/notifications.ts';
import { itemOfSeat, type Order, paidAmountOf, seatsOf, toOrder } from '../../orders/order.ts';
import { queryBuyerOrders } from '../../orders/store.ts';
import { describeUnsold } from '../../orders/waiting-list/notifications.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { listCheckInCodes } from '../../tickets/check-in/admissions.ts';
import { drawCodeAsPng } from '../../tickets/check-in/qr-code.ts';
import type { Block, Message } from './layout.ts';

type OrderContent = Exclude<
  Extract<MailContent, { orderId: string }>,
  { kind: 'ticket-offered' | 'ticket-received' | 'received-ticket-changed' }
>;
type MessageText = Omit<Message, 'to'>;

/** The maximum number of QR codes in one mail. The order's page shows the other tickets. */
const maximumQrCodes = 20;

/** Prints the tickets of an order as a PDF file; undefined for too many. */
export type PrintTickets = (order: Order, event: Event) => Promise<Buffer | undefined>;

/** Composes a mail about an order, to the order's e-mail address. It reads the order and its event in one request. */
export async function composeOrderMessage(
  content: OrderContent,
  eventId: string,
  printTickets?: PrintTickets,
): Promise<Message | undefined> {
  const { kind, orderId } = content;
  const [orderItem, ...eventItems] = await getItems([keys.order(orderId), ...eventKeys(eventId)]);
  const event = toEventWithTexts(eventItems);
  if (!orderItem || !event) throw notFound('Order');
  const order = toOrder(orderItem);
  const url = await linkTo(order);
  const text = await composers[kind](order, event, { button: 'Open your order', url }, content);
  const isAttached = kind === 'order-paid' && event.attachPdf;
  const pdf = text && isAttached ? await printTickets?.(order, event) : undefined;
  return text && { ...text, pdf, accent: event.organizer?.accent, to: order.customerEmail };
}

const composers: Record<
  OrderContent['kind'],
  (order: Order, event: Event, orderButton: Block, content: OrderContent) => Promise<MessageText | undefined>
> = {
  'order-paid': composeTicketsText,
  'payment-too-late': async (order, event, orderButton) => ({
    subject: `Your payment came too late: ${event.title}`,
    summary: `Your payment for ${formatTickets(order.quantity)} to ${event.title} came in after the order had ended, and could no longer be accepted.${lateReason(order)}`,
    body: [
      {
        paragraph: `You will get ${formatMoney(paidAmountOf(order), order.currency)} back. We will mail you when it is sent.`,
      },
      orderButton,
    ],
  }),
  'event-cancelled': async (order, event, orderButton) => ({
    subject: `Cancelled: ${event.title}`,
    summary: `${event.title} was cancelled. Your ${order.quantity === 1 ? 'ticket is' : 'tickets are'} no longer valid.`,
    body: [{ facts: eventFacts(event) }, ...refundParagraphs(order), orderButton],
    calendar: toCalendarFile(event),
  }),
  'order-refunded': composeRefundText,
  'event-rescheduled': composeRescheduleText,
  'listing-ended': async (order, event, orderButton, content) => {
    const numbers = 'numbers' in content ? content.numbers : [];
    const hasAll = numbers.every((number) => seatsOf(order).includes(number));
    if (!hasAll || !areTicketsValid(order, event)) return undefined;
    return {
      subject: `${numbers.length === 1 ? 'Your ticket was' : 'Your tickets were'} not sold: ${event.title}`,
      summary: describeUnsold(numbers, order, event),
      body: [{ facts: eventFacts(event) }, orderButton],
    };
  },
};

/** Composes the mail with the tickets; undefined once the order's seats are no longer admitted. */
async function composeTicketsText(
  order: Order,
  event: Event,
  orderButton: Block,
): Promise<MessageText | undefined> {
  const codes = await listCheckInCodes(order, event);
  if (codes.length === 0) return undefined;
  const tickets = codes.slice(0, maximumQrCodes).map(
    ({ number, checkInCode }): Block => ({
      ticket: {
        title: `Ticket ${number} of ${order.quantity}`,
        detail: `${tierNameOf(event, itemOfSeat(order, number))}, ${event.title}`,
        code: checkInCode,
        image: drawCodeAsPng(checkInCode),
      },
    }),
  );
  const countWithoutQrCode = codes.length - maximumQrCodes;
  return {
    subject: `Your ${order.quantity === 1 ? 'ticket' : 'tickets'} to ${event.title}`,
    summary: `You have ${formatTickets(codes.length)} to ${event.title}. Show the QR code at the door, on your phone or on paper.`,
    body: [
      {
        facts: [
          ...eventFacts(event),
          ['Tickets', order.items.map((item) => `${item.quantity} × ${tierNameOf(event, item)}`).join(', ')],
          [
            'Paid',
            order.totalAmount === 0n ? 'Nothing: free' : formatMoney(paidAmountOf(order), order.currency),
          ],
          ['Reference', order.reference],
        ],
      },
      ...tickets,
      ...(countWithoutQrCode > 0
        ? [{ paragraph: `Your order shows your other ${formatTickets(countWithoutQrCode)}.` }]
        : []),
      orderButton,
      {
        paragraph:
          'Your order has the tickets as a PDF file, too. Each code admits one person, once. Do not share this mail.',
      },
    ],
    calendar: toCalendarFile(event),
  };
}

async function composeRefundText(
  order: Order,
  event: Event,
  orderButton: Block,
  content: OrderContent,
): Promise<MessageText | undefined> {
  const { currency } = order;
  const number = 'number' in content ? content.number : undefined;
  const refund = number === undefined ? order.refund : order.refunds?.[number - 1];
  if (!refund) return undefined;
  const quantity = refund.seats?.length ?? order.quantity;
  const tickets =
    refund.kind === 'goodwill' ? 'your order' : quantity === 1 ? 'your ticket' : `your ${quantity} tickets`;
  if (refund.amount === 0n) {
    return {
      subject: `Tickets cancelled: ${event.title}`,
      summary: `We took back ${tickets} to ${event.title}. There was nothing to pay for them.`,
      body: [orderButton],
    };
  }
  const money = formatMoney(refund.amount, currency);
  const isSent = refund.status === 'done';
  return {
    subject: `Refund: ${event.title}`,
    summary: isSent
      ? `${money} for ${tickets} to ${event.title} are on their way back to you.`
      : `We will send you back ${money} for ${tickets} to ${event.title}.`,
    body: [
      { paragraph: `The ${quantity === 1 ? 'ticket is' : 'tickets are'} no longer valid.` },
      {
        facts: [
          ['Amount', money],
          ['Reference', order.reference],
        ],
      },
      orderButton,
    ],
  };
}

/** Composes the mail about a new date or venue; undefined for a refunded order and a cancelled event. */
async function composeRescheduleText(
  order: Order,
  event: Event,
  orderButton: Block,
): Promise<MessageText | undefined> {
  if (!areTicketsValid(order, event)) return undefined;
  return {
    subject: `New date or venue: ${event.title}`,
    summary: `The organizer has changed the date or the venue of ${event.title}. These are the new details.`,
    body: [
      { facts: eventFacts(event) },
      {
        paragraph: `Your ${order.quantity === 1 ? 'ticket stays' : 'tickets stay'} valid, with the same codes.`,
      },
      orderButton,
    ],
    calendar: toCalendarFile(event),
  };
}

/** Returns whether the order still has its seats, and the event takes place. */
export function areTicketsValid({ holdsInventory, refund }: Order, { status }: Event): boolean {
  return holdsInventory && !refund && status === 'PUBLISHED';
}

export function eventFacts(event: Event): [name: string, value: string][] {
  return [
    ['When', formatTime(event)],
    ['Where', formatPlace(event)],
  ];
}

function refundParagraphs(order: Order): Block[] {
  const paidAmount = paidAmountOf(order);
  if (paidAmount === 0n) return [];
  return [
    {
      paragraph: `You will get ${formatMoney(paidAmount, order.currency)} back. We will mail you when it is sent.`,
    },
  ];
}

/** Returns the address of an order's page; for a guest with the access token in the fragment, which no server gets. */
async function linkTo(order: Order): Promise<string> {
  const token = await findAccessToken(order);
  return `${requiredSetting('PUBLIC_URL')}/orders/${order.id}${token === undefined ? '' : `#${token}`}`;
}

/** The maximum number of orders in a mail with links. */
const maximumLinks = 20;

/** Composes the mail with the links to a guest's newest orders; undefined for an address without orders. */
export async function composeOrderLinks({
  userId,
}: Extract<MailContent, { kind: 'order-links' }>): Promise<Message | undefined> {
  const guest = await findUser(userId);
  if (!guest) return undefined;
  const orders: Order[] = [];
  for await (const order of queryBuyerOrders(userId)) {
    orders.push(order);
    if (orders.length === maximumLinks) break;
  }
  if (orders.length === 0) return undefined;
  const body = await Promise.all(
    orders.map(async (order): Promise<Block[]> => {
      const event = await getEvent(order.eventId);
      return [
        { paragraph: `${event.title}: ${formatTickets(order.quantity)}, ${order.reference}` },
        { button: 'Open the order', url: await linkTo(order) },
      ];
    }),
  );
  return {
    to: guest.email,
    subject: 'Your orders',
    summary: 'Somebody, probably you, asked for the links to your orders.',
    body: [...body.flat(), { paragraph: 'Whoever has a link can open the order. Do not share this mail.' }],
  };
}

/** Formats a number of tickets: `1 ticket`, `3 tickets`. */
export function formatTickets(quantity: number): string {
  return quantity === 1 ? '1 ticket' : `${quantity} tickets`;
}
