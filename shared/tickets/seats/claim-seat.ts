import type { Actor } from '../../accounts/auth/authorize.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { getUserWithWallet } from '../../accounts/users/store.ts';
import {
  findWallet,
  type LinkedWallet,
  requireLinkedWallet,
  WalletUnlinked,
} from '../../accounts/wallets/store.ts';
import { chainUnavailable } from '../../accounts/wallets/wallet-challenge.ts';
import { recordDoorChange } from '../../catalog/door/changes.ts';
import { requireVerifiedIdentity } from '../../catalog/events/event.ts';
import { ChainUnreachable, type Connection, connect } from '../../chain/connection.ts';
import { readFinalOwner, type Token } from '../../chain/token-owner.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import {
  insertNotification,
  type Notification,
  newNotification,
} from '../../messaging/notifications/store.ts';
import { prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { incrementSeatCounter } from '../../orders/store.ts';
import { seatOccurrence } from '../../orders/views.ts';
import { findMintedToken } from '../store.ts';
import { holderOf, type SeatReference } from '../ticket.ts';
import { findSeat, forgetAnswers, retryOnChange, type SeatContext, usedSeatError } from './find-seat.ts';
import { moveSeat } from './store.ts';

/** Each claim asks the chain's nodes. */
const claimLimit = {
  maximum: 100,
  windowSeconds: 15 * 60,
  message: 'Too many claims, please try again later',
};

/**
 * Moves the seat of a token to the account whose linked wallet owns the token in the newest final block. A repeated
 * claim returns the seat again.
 * @throws DomainError 403 for a caller without a linked wallet, when another wallet owns the token, and for a caller
 * without KYC, where the event requires it; 404 for a token that this service did not mint; 409 for an event that admits
 * by account, for a seat that was checked in, and while the order's seats can't be checked in; 429 after too many claims; 503 when the chain
 * does not answer
 */
export async function claimSeat(caller: Actor, token: Token): Promise<SeatContext> {
  const { chainId, contractAddress, tokenId } = token;
  const wallet = await findLinkedWallet(caller.userId);
  if (!wallet) throw forbidden('Link the wallet that owns the token first', 'not-the-owner');
  const mintedToken = await findMintedToken(chainId, contractAddress, BigInt(tokenId));
  if (!mintedToken) throw notFound('Ticket');
  await countAttempt(keys.attempts('CLAIM', caller.userId), claimLimit);
  const connection = await connect(chainId);
  if (!connection) throw chainUnavailable();
  const reference = { orderId: mintedToken.range.orderId, number: mintedToken.seatNumber };
  try {
    return await retryOnChange(() => claim(connection, caller, wallet, token, reference));
  } catch (error) {
    if (error instanceof ChainUnreachable) throw chainUnavailable();
    throw error instanceof WalletUnlinked ? notOwnerError() : error;
  }
}

async function findLinkedWallet(userId: string): Promise<LinkedWallet | undefined> {
  const { user, linkedWallet } = await getUserWithWallet(userId);
  const wallet = linkedWallet === undefined ? undefined : await findWallet(linkedWallet);
  return wallet?.userId === user.id ? wallet : undefined;
}

async function claim(
  connection: Connection,
  { sessionVersion }: Actor,
  wallet: LinkedWallet,
  token: Token,
  reference: SeatReference,
): Promise<SeatContext> {
  // The seat is read before the chain. When a later owner claims in between, the seat changes and this claim is
  // retried.
  const seatContext = await findSeat(reference);
  const ticket = seatContext?.ticket;
  if (!seatContext || ticket?.tokenId !== token.tokenId || ticket.contractAddress !== token.contractAddress) {
    throw notFound('Ticket');
  }
  const { seat, order, event } = seatContext;
  if (event.entry === 'account') {
    throw conflict('entry-by-account', 'This event admits the account that holds the ticket, not the token');
  }
  // A contract wallet is proved on one chain only: on another chain its address may belong to somebody else.
  const isProved = wallet.chainId === undefined || wallet.chainId === token.chainId;
  if (!isProved || (await readFinalOwner(connection, token)) !== wallet.address) throw notOwnerError();
  const holder = holderOf(seat, order);
  // Until a claim, the seat belongs to the wallet that the token was minted to.
  const isHeldByWallet = (seat.wallet ?? ticket.owner) === wallet.address;
  if (holder === wallet.userId && isHeldByWallet) return seatContext;
  const refusal = usedSeatError(seatContext);
  if (refusal) throw refusal;
  const { user } = await getUserWithWallet(wallet.userId);
  requireVerifiedIdentity(event, user);
  const occurrences = await prepareOccurrences(event.organizerId, event.hasWebhooks, [
    seatOccurrence('ticket.transferred', order, seat.number, new Date().toISOString()),
  ]);
  await transact([
    moveSeat(seat, order, {
      holderUserId: wallet.userId,
      holderSessionVersion: sessionVersion,
      attendee: { name: user.name },
      offer: undefined,
      wallet: wallet.address,
      claimedFrom: holder,
    }),
    incrementSeatCounter(seat, 'transferred'),
    requireLinkedWallet(wallet),
    ...(holder === wallet.userId
      ? []
      : [insertNotification(claimNotification(seatContext, holder)), ...(await forgetAnswers(seatContext))]),
    ...recordDoorChange(event, { orderIds: [order.id], number: seat.number }, new Date().toISOString()),
    ...occurrences.writes,
  ]);
  await occurrences.queue();
  return (await findSeat(seat)) as SeatContext;
}

const notOwnerError = () => forbidden('Your linked wallet does not own this token', 'not-the-owner');

/** Builds the notification for the account that held the seat before. */
function claimNotification(
  { seat: { orderId, number, transfers }, event }: SeatContext,
  userId: string,
): Notification {
  return newNotification(`claim ${orderId} ${number} ${transfers}`, Date.now(), {
    userId,
    type: 'INFO',
    title: 'Ticket claimed',
    message: `The new owner of the token has claimed your ticket to ${event.title}. Your code for it is no longer valid.`,
    topic: 'ticket-claimed',
    values: { event: event.title },
    orderId,
  });
}
