import { findUser } from '../../accounts/users/store.ts';
import { toCalendarFile } from '../../catalog/events/calendar.ts';
import { type Event, tierNameOf } from '../../catalog/events/event.ts';
import { formatPlace, formatTime, locales } from '../../catalog/events/format.ts';
import { eventKeys, getEvent, toEventWithTexts } from '../../catalog/events/store.ts';
import { en } from '../../catalog/texts/en.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import { notFound } from '../../core/errors.ts';
import { type Currency, formatMoney } from '../../core/money.ts';
import type { Language } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { findAccessToken } from '../../orders/access-token.ts';
import { itemOfSeat, type Order, paidAmountOf, seatsOf, toOrder } from '../../orders/order.ts';
import { queryBuyerOrders } from '../../orders/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { listCheckInCodes } from '../../tickets/check-in/admissions.ts';
import type { Block, Message } from './layout.ts';

type OrderContent = Exclude<
  Extract<MailContent, { orderId: string }>,
  { kind: 'ticket-offered' | 'ticket-received' | 'received-ticket-changed' }
>;
type MessageText = Omit<Message, 'to' | 'language'>;

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
  const { language } = order;
  const orderButton = { button: textsIn(language)('openOrder'), url: await linkTo(order) };
  const text = await composers[kind](order, event, orderButton, content);
  const isAttached = kind === 'order-paid' && event.attachPdf;
  const printPdf = isAttached && printTickets ? () => printTickets(order, event) : undefined;
  return text && { ...text, language, printPdf, accent: event.organizer?.accent, to: order.customerEmail };
}

const composers: Record<
  OrderContent['kind'],
  (order: Order, event: Event, orderButton: Block, content: OrderContent) => Promise<MessageText | undefined>
> = {
  'order-paid': composeTicketsText,
  'payment-too-late': async (order, { title }, orderButton) => {
    const t = textsIn(order.language);
    const { fulfilmentReason: reason = '' } = order;
    const summary = t('late.summary', { count: order.quantity, event: title });
    return {
      subject: t('late.subject', { event: title }),
      summary: isLateReason(reason) ? `${summary} ${t(`late.reasons.${reason}`)}` : summary,
      body: [...refundParagraphs(order), orderButton],
    };
  },
  'event-cancelled': async (order, event, orderButton) => {
    const t = textsIn(order.language);
    return {
      subject: t('cancelled.subject', { event: event.title }),
      summary: t('cancelled.summary', { count: order.quantity, event: event.title }),
      body: [{ facts: eventFacts(event, order.language) }, ...refundParagraphs(order), orderButton],
      calendar: toCalendarFile(event),
    };
  },
  'order-refunded': composeRefundText,
  'event-rescheduled': composeRescheduleText,
  'listing-ended': async (order, event, orderButton, content) => {
    const numbers = 'numbers' in content ? content.numbers : [];
    const hasAll = numbers.every((number) => seatsOf(order).includes(number));
    if (!hasAll || !areTicketsValid(order, event)) return undefined;
    const t = textsIn(order.language);
    const form = { count: numbers.length, event: event.title };
    const isWhole = numbers.length === order.quantity;
    return {
      subject: t('unsold.subject', form),
      summary: isWhole
        ? t('unsold.whole', form)
        : t('unsold.part', {
            ...form,
            numbers: new Intl.ListFormat(locales[order.language]).format(numbers.map(String)),
          }),
      body: [{ facts: eventFacts(event, order.language) }, orderButton],
    };
  },
};

type LateReason = keyof typeof en.late.reasons;

const isLateReason = (reason: string): reason is LateReason => reason in en.late.reasons;

/** Composes the mail with the tickets; undefined once the order's seats are no longer admitted. */
async function composeTicketsText(
  order: Order,
  event: Event,
  orderButton: Block,
): Promise<MessageText | undefined> {
  const codes = await listCheckInCodes(order, event);
  if (codes.length === 0) return undefined;
  const { language, quantity, currency } = order;
  const t = textsIn(language);
  const { title } = event;
  const tickets = codes.slice(0, maximumQrCodes).map(
    ({ number, checkInCode }): Block => ({
      ticket: {
        title: t('paid.ticket', { number, quantity }),
        detail: `${tierNameOf(event, itemOfSeat(order, number))}, ${title}`,
        code: checkInCode,
      },
    }),
  );
  const countWithoutQrCode = codes.length - maximumQrCodes;
  return {
    subject: t('paid.subject', { count: quantity, event: title }),
    summary: t('paid.summary', { count: codes.length, event: title }),
    body: [
      {
        facts: [
          ...eventFacts(event, language),
          [
            t('facts.tickets'),
            order.items.map((item) => `${item.quantity} × ${tierNameOf(event, item)}`).join(', '),
          ],
          [
            t('facts.paid'),
            order.totalAmount === 0n
              ? t('facts.free')
              : formatMoneyIn(language, paidAmountOf(order), currency),
          ],
          [t('facts.reference'), order.reference],
        ],
      },
      ...tickets,
      ...(countWithoutQrCode > 0 ? [{ paragraph: t('paid.others', { count: countWithoutQrCode }) }] : []),
      orderButton,
      { paragraph: t('paid.note') },
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
  const { currency, language } = order;
  const t = textsIn(language);
  const { title } = event;
  const number = 'number' in content ? content.number : undefined;
  const refund = number === undefined ? order.refund : order.refunds?.[number - 1];
  if (!refund) return undefined;
  const count = refund.seats?.length ?? order.quantity;
  if (refund.amount === 0n) {
    return {
      subject: t('refund.nothingSubject', { event: title }),
      summary: t('refund.nothing', { count, event: title }),
      body: [orderButton],
    };
  }
  const isGoodwill = refund.kind === 'goodwill';
  const money = formatMoneyIn(language, refund.amount, currency);
  const form = { count, money, event: title };
  const sent = isGoodwill ? t('refund.sentForOrder', form) : t('refund.sent', form);
  const promised = isGoodwill ? t('refund.promisedForOrder', form) : t('refund.promised', form);
  return {
    subject: t('refund.subject', { event: title }),
    summary: refund.status === 'done' ? sent : promised,
    body: [
      { paragraph: isGoodwill ? t('refund.valid') : t('refund.invalid', { count }) },
      {
        facts: [
          [t('facts.amount'), money],
          [t('facts.reference'), order.reference],
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
  const t = textsIn(order.language);
  return {
    subject: t('moved.subject', { event: event.title }),
    summary: t('moved.summary', { event: event.title }),
    body: [
      { facts: eventFacts(event, order.language) },
      { paragraph: t('moved.valid', { count: order.quantity }) },
      orderButton,
    ],
    calendar: toCalendarFile(event),
  };
}

/** Returns whether the order still has its seats, and the event takes place. */
export function areTicketsValid({ holdsInventory, refund }: Order, { status }: Event): boolean {
  return holdsInventory && !refund && status === 'PUBLISHED';
}

export function eventFacts(event: Event, language: Language): [name: string, value: string][] {
  const t = textsIn(language);
  return [
    [t('facts.when'), formatTime(event, language)],
    [t('facts.where'), formatPlace(event)],
  ];
}

/** Formats an amount with the decimal mark of a language: `102,50 EUR`. */
export function formatMoneyIn(language: Language | undefined, amount: bigint, currency: Currency): string {
  const decimalMark = new Intl.NumberFormat(locales[language ?? 'en'])
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal');
  return formatMoney(amount, currency).replace('.', decimalMark?.value ?? '.');
}

function refundParagraphs(order: Order): Block[] {
  const paidAmount = paidAmountOf(order);
  if (paidAmount === 0n) return [];
  const money = formatMoneyIn(order.language, paidAmount, order.currency);
  return [{ paragraph: textsIn(order.language)('moneyBack', { money }) }];
}

/** Returns the address of an order's page; for a guest with the access token in the fragment, which no server gets. */
async function linkTo(order: Order): Promise<string> {
  const token = await findAccessToken(order);
  return `${requiredSetting('PUBLIC_URL')}/orders/${order.id}${token === undefined ? '' : `#${token}`}`;
}

/** The maximum number of orders in a mail with links. */
const maximumLinks = 20;
/** The maximum number of orders that are read for it. */
const maximumRead = 1_000;

/**
 * Composes the mail with the links to a guest's newest orders, the paid ones first: anybody can place others with the guest's
 * address. Undefined for an address without orders.
 */
export async function composeOrderLinks({
  userId,
}: Extract<MailContent, { kind: 'order-links' }>): Promise<Message | undefined> {
  const guest = await findUser(userId);
  if (!guest) return undefined;
  const paid: Order[] = [];
  const others: Order[] = [];
  for await (const order of queryBuyerOrders(userId)) {
    (order.paymentStatus === 'COMPLETED' && order.totalAmount > 0n ? paid : others).push(order);
    if (paid.length === maximumLinks || paid.length + others.length === maximumRead) break;
  }
  const orders = [...paid, ...others].slice(0, maximumLinks);
  if (orders.length === 0) return undefined;
  const language = orders[0]?.language ?? 'en';
  const t = textsIn(language);
  const body = await Promise.all(
    orders.map(async (order): Promise<Block[]> => {
      const { title } = await getEvent(order.eventId);
      const { quantity: count, reference } = order;
      return [
        { paragraph: t('links.order', { count, event: title, reference }) },
        { button: t('links.open'), url: await linkTo(order) },
      ];
    }),
  );
  return {
    to: guest.email,
    language,
    subject: t('links.subject'),
    summary: t('links.summary'),
    body: [...body.flat(), { paragraph: t('links.note') }],
  };
}
