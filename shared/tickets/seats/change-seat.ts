import { type Actor, isSelf } from '../../accounts/auth/authorize.ts';
import { requireLiveCaller } from '../../accounts/auth/step-up.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { getUser } from '../../accounts/users/store.ts';
import { recordDoorChange } from '../../catalog/door/changes.ts';
import { requireVerifiedIdentity, tierNameOf } from '../../catalog/events/event.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { toView } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, write } from '../../dynamo/write.ts';
import {
  insertNotification,
  type Notification,
  newNotification,
} from '../../messaging/notifications/store.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import { prepareOccurrences } from '../../messaging/webhooks/store.ts';
import type { Answer } from '../../orders/answers/answer.ts';
import { storeAnswers } from '../../orders/answers/change-answers.ts';
import { itemOfSeat } from '../../orders/order.ts';
import { incrementSeatCounter } from '../../orders/store.ts';
import { seatOccurrence } from '../../orders/views.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import {
  type Attendee,
  holderOf,
  newOfferToken,
  type Offer,
  type Seat,
  type SeatReference,
  seatOfOffer,
  ticketId,
} from '../ticket.ts';
import {
  findSeat,
  forgetAnswers,
  getHeldSeat,
  retryOnChange,
  type SeatContext,
  transferError,
  usedSeatError,
} from './find-seat.ts';
import { nameOfferer } from './name-offerer.ts';
import { changeOffer, moveSeat, setAttendee } from './store.ts';
import { type OfferView, offerView } from './views.ts';

/**
 * Stores the attendee of a seat, and answers for it. The door shows the attendee's name.
 * @throws DomainError 404 for callers who do not hold the seat; 409 for the buyer who transferred it, and for a seat
 * that was admitted or can't be admitted
 */
export function nameAttendee(
  caller: Actor,
  reference: SeatReference,
  { answers = [], ...attendee }: Attendee & { answers?: readonly Omit<Answer, 'number'>[] | undefined },
): Promise<SeatContext> {
  return retryOnChange(async () => {
    const seatContext = await getHeldSeat(caller, reference);
    if (answers.length > 0) {
      const numbered = answers.map((answer) => ({ ...answer, number: reference.number }));
      await storeAnswers(seatContext.order, seatContext.event, numbered);
    }
    await write(setAttendee(seatContext.seat, attendee));
    return { ...seatContext, seat: { ...seatContext.seat, attendee } };
  });
}

/** Limits the offers: each sends a mail to an address of the holder's choice. */
const offerLimit = {
  maximum: 10,
  windowSeconds: 24 * 60 * 60,
  message: 'The ticket was offered ten times today, please try again tomorrow',
};

/** A seat with an offer. */
export type OfferedSeat = SeatContext & { seat: Seat & { offer: Offer } };

/**
 * Offers a seat to an e-mail address, which may have no account yet, and mails a link to it. The seat stays with its
 * holder until the offer is accepted. A new offer ends the earlier one. A repeated offer to the same address returns
 * the earlier one. A session of the holder must not have ended: the offer outlives it.
 * @throws DomainError 401 for a session that has ended; 400 for the holder's own address; 409 for a seat that can't be transferred; 429 after ten offers
 * of a seat in a day; otherwise as `getHeldSeat`
 */
export function offerSeat(
  caller: AccessClaims,
  reference: SeatReference,
  email: string,
): Promise<OfferedSeat> {
  let isCounted = false;
  return retryOnChange(async () => {
    const seatContext = await getHeldSeat(caller, reference);
    const refusal = transferError(seatContext);
    if (refusal) throw refusal;
    if (email === caller.email) throw invalid('Enter the e-mail address of another person');
    const { seat } = seatContext;
    if (seat.offer?.status === 'open' && seat.offer.email === email) {
      return { ...seatContext, seat: { ...seat, offer: seat.offer } };
    }
    // An offer that is repeated after a change of the seat counts once.
    if (!isCounted)
      await countAttempt(keys.attempts('TRANSFER', ticketId(seat.orderId, seat.number)), offerLimit);
    isCounted = true;
    const offer = {
      token: newOfferToken(seat),
      email,
      fromUserId: caller.userId,
      at: new Date().toISOString(),
      status: 'open' as const,
    };
    const { orderId, number } = seat;
    const mailContent = { kind: 'ticket-offered', orderId, number, offeredAt: offer.at } as const;
    const mailWrites = insertMail(mailContent, caller.userId, { eventId: seatContext.event.id });
    // A guest has the access token of the order, and no session.
    const sessionWrites = caller.sessionId === undefined ? [] : [await requireLiveCaller(caller)];
    await transact([changeOffer(seat, offer), ...sessionWrites, ...mailWrites]);
    await queueMails([{ content: mailContent, eventId: seatContext.event.id }]);
    return { ...seatContext, seat: { ...seat, offer } };
  });
}

/**
 * Accepts an offer: the seat moves to the caller with a new check-in code, which is mailed to them, and without the answers
 * of its former holder. Earlier check-in codes are no longer valid. A repeated call returns the seat again.
 * @throws DomainError 404 for callers other than the account of the offer's address; 409 `gone` for an offer that has
 * ended; 403 `kyc-required` for a receiver without KYC, where the event requires it; 409 when the seat can no longer be
 * admitted or transferred
 */
export function acceptOffer(caller: Actor, token: string): Promise<SeatContext> {
  const { userId, sessionVersion } = caller;
  return retryOnChange(async () => {
    const [offeredSeat, receiver] = await Promise.all([findOffer(token), getUser(userId)]);
    const { seat, order, event } = offeredSeat;
    const { offer } = seat;
    if (offer.email !== receiver.email) throw notFound('Transfer');
    if (offer.status === 'accepted' && holderOf(seat, order) === userId) return offeredSeat;
    if (offer.status !== 'open') throw offerEnded();
    requireVerifiedIdentity(event, receiver);
    const refusal = usedSeatError(offeredSeat) ?? transferError(offeredSeat);
    if (refusal) throw refusal.code === 'admitted' ? offerEnded() : refusal;
    const acceptedOffer = { ...offer, status: 'accepted' as const };
    const attendee = { name: receiver.name };
    const { orderId, number } = seat;
    const mailContent = { kind: 'ticket-received', orderId, number, transfers: seat.transfers + 1 } as const;
    const occurrences = await prepareOccurrences(event.organizerId, event.hasWebhooks, [
      seatOccurrence('ticket.transferred', order, number, new Date().toISOString()),
    ]);
    await transact([
      moveSeat(seat, order, {
        holderUserId: userId,
        holderSessionVersion: sessionVersion,
        attendee,
        offer: acceptedOffer,
      }),
      // Where the event admits by token, a seat is transferred only while its order has no tokens: see `transferError`.
      incrementSeatCounter(
        seat,
        'transferred',
        event.entry === 'token' ? { fulfilmentStatus: ['failed', 'not-needed'] } : {},
      ),
      ...(await forgetAnswers(offeredSeat)),
      insertNotification(acceptanceNotification(offeredSeat, receiver.name)),
      ...insertMail(mailContent, userId, { eventId: event.id }),
      ...recordDoorChange(event, { orderIds: [orderId], number }, new Date().toISOString()),
      ...occurrences.writes,
    ]);
    await occurrences.queue();
    await queueMails([{ content: mailContent, eventId: event.id }]);
    return (await findSeat(seat)) as SeatContext;
  });
}

/**
 * Returns an offer for whoever has its link, who may have no account yet.
 * @throws DomainError 409 `gone` for an offer that has ended
 */
export async function showOffer(token: string): Promise<OfferView> {
  const { seat, order, event } = await findOffer(token);
  if (seat.offer.status === 'withdrawn') throw offerEnded();
  const { tierId } = itemOfSeat(order, seat.number);
  return toView(offerView, event, {
    event,
    tierName: tierNameOf(event, { tierId }),
    from: await nameOfferer(order, seat.offer),
    email: seat.offer.email,
    status: seat.offer.status,
  });
}

/**
 * Withdraws an offer: the seat stays with its holder. A repeated call returns the seat again.
 * @throws DomainError 404 for callers other than the account that made the offer; 409 `gone` for an offer that was
 * accepted, and for a seat that was admitted
 */
export function withdrawOffer(caller: Actor, token: string): Promise<SeatContext> {
  return retryOnChange(async () => {
    const offeredSeat = await findOffer(token);
    const { offer } = offeredSeat.seat;
    if (!isSelf(caller, offer.fromUserId)) throw notFound('Transfer');
    if (offer.status === 'withdrawn') return offeredSeat;
    if (offer.status === 'accepted' || offeredSeat.seat.checkedInAt !== undefined) throw offerEnded();
    const withdrawnOffer = { ...offer, status: 'withdrawn' as const };
    await write(changeOffer(offeredSeat.seat, withdrawnOffer));
    return { ...offeredSeat, seat: { ...offeredSeat.seat, offer: withdrawnOffer } };
  });
}

/**
 * Returns the seat of an offer. The error is the same for a replaced offer and for an offer that never existed, so that
 * it discloses nothing about orders.
 * @throws DomainError 409 `gone`
 */
async function findOffer(token: string): Promise<OfferedSeat> {
  const reference = seatOfOffer(token);
  const seatContext = reference && (await findSeat(reference));
  const offer = seatContext?.seat.offer;
  if (!seatContext || offer?.token !== token) throw offerEnded();
  return { ...seatContext, seat: { ...seatContext.seat, offer } };
}

const offerEnded = () => conflict('gone', 'This ticket is no longer offered');

/** Builds the notification for the user who offered the seat. */
function acceptanceNotification(
  { seat: { offer, orderId }, event }: OfferedSeat,
  receiver: string,
): Notification {
  return newNotification(`transfer ${offer.token}`, Date.now(), {
    userId: offer.fromUserId,
    type: 'INFO',
    title: 'Ticket handed over',
    message: `${receiver} has accepted your ticket to ${event.title}.`,
    topic: 'ticket-handed-over',
    values: { event: event.title, receiver },
    orderId,
  });
}
