import * as z from 'zod';
import { toAuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { type Actor, admin, authorize } from '../../accounts/auth/authorize.ts';
import { findUser } from '../../accounts/users/store.ts';
import { recordDoorChange } from '../../catalog/door/changes.ts';
import { type Event, tierNameOf } from '../../catalog/events/event.ts';
import { getVisibleEvent } from '../../catalog/events/read-events.ts';
import { staffOf } from '../../catalog/staff/entitlements.ts';
import { checkOwner, type Token } from '../../chain/token-owner.ts';
import { conflict, type DomainError, forbidden, notFound } from '../../core/errors.ts';
import { toView } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { issueNumber, itemOfSeat, type Order, seatNumbersOfIssue } from '../../orders/order.ts';
import { incrementSeatCounter, OrderTransitionRefused, requireSeat } from '../../orders/store.ts';
import { seatOccurrence } from '../../orders/views.ts';
import { log } from '../../runtime/telemetry.ts';
import { lockAfterAdmission } from '../request-lock.ts';
import { findSeat, type SeatContext } from '../seats/find-seat.ts';
import { admitSeat, changeLists, countAdmission, SeatChanged } from '../seats/store.ts';
import type { Seat } from '../ticket.ts';
import { admissionEnd, admissionError, codeError, type SignedSeat, verifyCode } from './admissions.ts';
import {
  carryOut,
  comesBack,
  findList,
  isRepetition,
  lastAdmission,
  passageError,
  type Scan,
} from './passage.ts';
import {
  type CheckInRequest,
  type CheckInView,
  checkInView,
  type ManualCheckInRequest,
  type ScanFields,
} from './views.ts';

/**
 * Admits the seat that a code was signed for, or lets it out. One transaction admits the seat and counts the admission. It
 * requires that the seat was not admitted before by the same list and not transferred since the code was signed, and that
 * the order still has its seats. Of concurrent scans, transfers and a refund, only one succeeds. The owner of a token is
 * read from the chain before the transaction; a later transfer of the token has no effect. A repeated request by the same
 * user with the same scan id gets the same response.
 * @throws DomainError 400 for an invalid code, and where the event has check-in lists for another or none; 403 for callers
 * other than the event's organizer, its staff and administrators; 404 when the order does not exist; 409 for a code of
 * another event or list, an event that is cancelled or ended more than a day ago, an order that is unpaid or refunded, a
 * seat that was transferred or admitted before, and a token that is not in the holder's wallet
 */
export async function checkIn(caller: Actor, request: CheckInRequest): Promise<CheckInView> {
  const { code, eventId, ...scan } = request;
  const signedSeat = await verifyCode(code);
  const seatContext = await findSeat(signedSeat);
  if (!seatContext) throw notFound('Order');
  const { event } = seatContext;
  authorize(caller, [admin, await staffOf(event, caller)], caller.key ? notFound('Order') : notStaff());
  if (eventId !== undefined && eventId !== event.id) {
    throw conflict('other-event', 'The ticket is for another event');
  }
  return scanOnce(caller, signedSeat, seatContext, scan);
}

/**
 * Admits a seat of an order that the staff found by the buyer's name, for a visitor who can't show the code. It admits
 * whoever holds the seat now, under the conditions of `checkIn`, and is recorded in the audit trail.
 * @throws DomainError 404 for an event that the caller may not see, and for a seat that the event does not have; 403 for
 * callers other than the event's organizer and staff; otherwise as `checkIn`
 */
export async function checkInWithoutCode(
  caller: Actor,
  eventId: string,
  { orderId, number, ...scan }: ManualCheckInRequest,
): Promise<CheckInView> {
  const visibleEvent = await getVisibleEvent(eventId, caller.userId);
  authorize(caller, [await staffOf(visibleEvent, caller)], notStaff());
  const seatContext = await findSeat({ orderId, number });
  if (seatContext?.event.id !== eventId) throw notFound('Order');
  const currentSeat = { orderId, number, transfers: seatContext.seat.transfers };
  const at = new Date().toISOString();
  const audit = insertAuditEntry({
    action: 'seat-admitted',
    by: toAuditActor(caller),
    eventId,
    details: { orderId, number: `${number}` },
    at,
  });
  return scanOnce(caller, currentSeat, seatContext, scan, [audit]);
}

const notStaff = () => forbidden('Only the organizer and the staff of the event may check in');

async function scanOnce(
  caller: Actor,
  signedSeat: SignedSeat,
  seatContext: SeatContext,
  { listId, direction, ...ids }: ScanFields,
  audit: readonly Write[] = [],
): Promise<CheckInView> {
  const { seat, order, event } = seatContext;
  const list = findList(event, listId);
  const scan: Scan = { list, direction, at: new Date().toISOString(), by: caller.userId, ...ids };
  if (isRepetition(scan, seat)) return toCheckInView(seatContext, scan);
  const refusal = admissionError(order, event, seat.number) ?? seatError(seatContext, signedSeat, scan);
  if (refusal) throw await nameAdmitted(refusal, seatContext, scan);
  if (Date.now() > admissionEnd(event)) {
    throw conflict('code-expired', 'The event ended more than a day ago, so its tickets are no longer valid');
  }
  const chainChecked = direction === 'entry' ? await requireTokenOwnership(seatContext) : undefined;
  const passed = await pass(signedSeat, seatContext, scan, chainChecked, audit);
  await lockAfterAdmission(event, seatContext.ticket);
  return toCheckInView({ ...seatContext, seat: passed }, scan);
}

/** Returns why a scan of a seat's code is refused; undefined when it is not. */
function seatError(
  { seat, order, event }: SeatContext,
  signedSeat: SignedSeat,
  scan: Scan,
): DomainError | undefined {
  return (
    codeError(seat, signedSeat) ?? passageError(seat, itemOfSeat(order, seat.number).tierId, scan, event)
  );
}

/** Says whose ticket was admitted before, when, and by whom, for the staff at the door. */
async function nameAdmitted(
  refusal: DomainError,
  { seat, order, event }: SeatContext,
  { list }: Scan,
): Promise<DomainError> {
  const { checkedInAt, checkedInBy } = lastAdmission(seat, list) ?? {};
  if (refusal.code !== 'already-checked-in' || !checkedInBy) return refusal;
  const scanner = await findUser(checkedInBy);
  const name = seat.attendee?.name ?? order.customerName;
  const tierName = tierNameOf(event, itemOfSeat(order, seat.number));
  return conflict(
    'already-checked-in',
    `${name}, ${tierName}: checked in already at ${checkedInAt}${scanner ? ` by ${scanner.name}` : ''}`,
  );
}

function toCheckInView({ seat, order, event }: SeatContext, { list, direction }: Scan): CheckInView {
  const { tierId, isAddOn } = itemOfSeat(order, seat.number);
  const { checkedInAt = '', chainChecked } = lastAdmission(seat, list) ?? {};
  return toView(checkInView, order, {
    orderId: order.id,
    number: seat.number,
    tierId,
    tierName: tierNameOf(event, { tierId }),
    kind: isAddOn ? 'addon' : 'ticket',
    attendeeName: seat.attendee?.name ?? null,
    checkedInAt,
    chainChecked,
    listName: list?.name ?? null,
    direction,
  });
}

/** How long a scan waits for the chain, in milliseconds. After that, the seat is admitted without the check. */
const chainTimeoutMilliseconds = 1_500;

/**
 * If the event admits by token, requires a seat's token to be in the holder's wallet at the latest block. The holder's
 * wallet is the one that the token was minted to or, after a claim, the one that claimed the seat.
 * @returns whether the chain answered; undefined when the event does not admit by token or the seat has none
 * @throws DomainError 409 `token-moved`
 */
export async function requireTokenOwnership({
  seat,
  order,
  event,
  ticket,
}: SeatContext): Promise<boolean | undefined> {
  if (event.entry === 'account') return undefined;
  // `checkIn` refuses refunded orders, so a burned token is being reissued. Until the new mint, the seat has no token.
  const token = ticket && !ticket.burnedAt ? ticket : await findTokenBeingMinted(order, event, seat.number);
  if (!token) return undefined;
  const isOwnedByHolder = await checkOwner(seat.wallet ?? token.owner, token, chainTimeoutMilliseconds);
  if (isOwnedByHolder === false && !(await isWithoutToken(order, token))) {
    throw conflict(
      'token-moved',
      'The token of this ticket was sent to another wallet: its owner can claim the ticket',
    );
  }
  if (isOwnedByHolder === undefined)
    log.warn('The owner of a token could not be read from the chain', { eventId: event.id });
  return isOwnedByHolder !== undefined;
}

/** A seat's token, and the wallet that it was minted to. */
type SeatToken = Token & { owner: string | undefined };

/**
 * Returns the token that is being minted for a seat. It can be sold as soon as its transaction is mined, minutes before that is
 * final and recorded.
 */
async function findTokenBeingMinted(
  order: Order,
  { chainId, contractAddress }: Event,
  number: number,
): Promise<SeatToken | undefined> {
  const index = seatNumbersOfIssue(order).indexOf(number);
  if (order.fulfilmentStatus !== 'minting' || contractAddress === null || index < 0) return undefined;
  // Loaded here, since most scans need no library for contract calls.
  const { deriveOrderKey, firstTokenId } = await import('../../chain/contract-calls.ts');
  const key = deriveOrderKey(chainId, contractAddress, order.id, issueNumber(order));
  return {
    chainId,
    contractAddress,
    tokenId: `${firstTokenId(key) + BigInt(index)}`,
    // Not the wallet of the account, which may have changed since.
    owner: await readMintDestination(order, key),
  };
}

/** The first transaction of a nonce, as nft/nonce/store.ts stores it. Those that replace it mint to the same wallet. */
const mintTransaction = z.object({
  attempts: z.tuple([z.object({ raw: z.instanceof(Uint8Array) })]).rest(z.unknown()),
});

/** Returns the wallet that the transaction of an order mints it to, checksummed. */
async function readMintDestination({ mint }: Order, orderKey: string): Promise<string | undefined> {
  const item = mint && (await getItem(keys.mintTransaction(mint.chainId, mint.signer, mint.nonce)));
  if (!item) return undefined;
  const [{ raw }] = mintTransaction.parse(item).attempts;
  const [{ decodeMintCalldata }, { decodeTransaction }] = await Promise.all([
    import('../../chain/contract-calls.ts'),
    import('../../chain/transactions.ts'),
  ]);
  const { data } = decodeTransaction(`0x${Buffer.from(raw).toString('hex')}`);
  return decodeMintCalldata(data).find((minted) => minted.orderKey === orderKey)?.to;
}

/** Returns whether a token was not mined yet, or was burned for a reissue although its ticket is not marked as burned yet. */
async function isWithoutToken({ fulfilmentStatus }: Order, token: SeatToken): Promise<boolean> {
  const isChanging = fulfilmentStatus === 'minting' || fulfilmentStatus === 'reissuing';
  // `undefined`: the token must have no owner.
  return isChanging && (await checkOwner(undefined, token, chainTimeoutMilliseconds)) === true;
}

async function pass(
  signedSeat: SignedSeat,
  seatContext: SeatContext,
  scan: Scan,
  chainChecked: boolean | undefined,
  audit: readonly Write[],
): Promise<Seat> {
  const { event } = seatContext;
  try {
    return await writePassage(signedSeat, seatContext, scan, chainChecked, audit);
  } catch (error) {
    if (error instanceof SeatChanged && isRepetition(scan, error.current)) return error.current;
    if (error instanceof SeatChanged)
      throw seatError({ ...seatContext, seat: error.current }, signedSeat, scan) ?? changing();
    if (error instanceof OrderTransitionRefused)
      throw admissionError(error.current, event, signedSeat.number) ?? error;
    throw error;
  }
}

const changing = () => conflict('busy', 'The ticket is being scanned elsewhere, please try again', 1);

/**
 * Stores what a scan does to a seat, in one transaction with further writes. The first admission of a seat is counted.
 * @returns the changed seat
 * @throws SeatChanged, OrderTransitionRefused after a change of the seat or its order since they were read; the errors of
 * the further writes
 */
export async function writePassage(
  signedSeat: SignedSeat,
  { seat, event, order }: SeatContext,
  scan: Scan,
  chainChecked: boolean | undefined,
  furtherWrites: readonly Write[] = [],
): Promise<Seat> {
  const { orderId, number } = signedSeat;
  const admission = carryOut(scan, seat, chainChecked);
  const lists = scan.list && { ...seat.lists, [scan.list.id]: admission };
  const changedSeat = { ...admission, ...seat, ...(lists && { lists }) };
  const isFirst = seat.checkedInAt === undefined;
  const occurrences = await prepareOccurrences(
    event.organizerId,
    event.hasWebhooks,
    scan.direction === 'entry' && !comesBack(scan, seat, event)
      ? [seatOccurrence('ticket.checked_in', order, number, scan.at)]
      : [],
  );
  const isCounted = isFirst && !itemOfSeat(order, number).isAddOn;
  await transact([
    ...(isFirst
      ? [
          admitSeat(signedSeat, event.id, { ...admission, ...(lists && { lists }) }),
          incrementSeatCounter(signedSeat, 'admitted'),
        ]
      : [
          changeLists({ ...seat, transfers: signedSeat.transfers }, event.id, lists),
          requireSeat(signedSeat),
        ]),
    // The count at the door is of people.
    ...(isCounted ? [countAdmission(event.id)] : []),
    ...recordDoorChange(event, { orderIds: [orderId], number }, new Date().toISOString()),
    ...occurrences.writes,
    ...furtherWrites,
  ]);
  await occurrences.queue();
  return changedSeat;
}
