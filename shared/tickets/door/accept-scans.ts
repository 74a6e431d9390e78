import type { Actor } from '../../accounts/auth/authorize.ts';
import { type Event, endOf } from '../../catalog/events/event.ts';
import { DomainError } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { itemOfSeat } from '../../orders/order.ts';
import { admissionEnd, admissionError } from '../check-in/admissions.ts';
import { requireTokenOwnership, writePassage } from '../check-in/check-in-seat.ts';
import { findList, isRepetition, lastAdmission, passageError, type Scan } from '../check-in/passage.ts';
import { lockAfterAdmission } from '../request-lock.ts';
import { findSeat, retryOnChange, type SeatContext } from '../seats/find-seat.ts';
import { recognizeCode } from './code-hash.ts';
import { authorizeDoor } from './list-door.ts';
import { type DoorScan, findScan, insertScan, ScanExists } from './store.ts';
import type { ScanResult, ScansRequest } from './views.ts';

/** How many seats are written at the same time. */
const maximumConcurrent = 10;

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** How long scans are kept after the event, in milliseconds. */
const retentionMilliseconds = 90 * dayMilliseconds;

/**
 * Accepts the admissions that a device made offline, in their order: each is admitted as of its time, or kept as a conflict
 * with the reason, since somebody came in with the ticket. A repeated scan of a seat has its first result.
 * @returns the results in the order of the scans
 * @throws DomainError 404, 403 as `listDoor`
 */
export async function acceptScans(
  caller: Actor,
  eventId: string,
  { deviceId, listId, scans }: ScansRequest,
): Promise<ScanResult[]> {
  const event = await authorizeDoor(caller, eventId);
  const door = { event, list: findList(event, listId), deviceId, by: caller.userId };
  const results = new Map<Upload, ScanResult>();
  // Scans of one seat wait for each other.
  const groups = [...Map.groupBy(scans, ({ seat }) => seat).values()];
  for (let start = 0; start < groups.length; start += maximumConcurrent) {
    await Promise.all(
      groups.slice(start, start + maximumConcurrent).map(async (scansOfSeat) => {
        for (const scan of scansOfSeat) results.set(scan, await acceptScan(door, scan));
      }),
    );
  }
  return scans.flatMap((scan) => results.get(scan) ?? []);
}

/** Whose scans are accepted. */
interface Door extends Pick<Scan, 'list' | 'by'> {
  event: Event;
  deviceId: string;
}

type Upload = ScansRequest['scans'][number];

async function acceptScan(door: Door, upload: Upload): Promise<ScanResult> {
  try {
    return await retryOnChange(() => decideScan(door, upload));
  } catch (error) {
    if (error instanceof ScanExists) return toResult(error.scan);
    throw error;
  }
}

async function decideScan({ event, deviceId, ...door }: Door, upload: Upload): Promise<ScanResult> {
  const [orderId = '', seatNumber] = upload.seat.split('.');
  const reference = { orderId, number: Number(seatNumber) };
  const { scanId, direction } = upload;
  const [known, seatContext] = await Promise.all([
    findScan(event.id, scanId, reference),
    findSeat(reference),
  ]);
  if (known) return toResult(known);
  const at = scannedAt(upload, event);
  const scan: Scan = { ...door, direction, at, scanId, deviceId };
  const toStored = (outcome: Outcome): DoorScan => ({
    eventId: event.id,
    scanId,
    ...reference,
    deviceId,
    at,
    by: door.by,
    ...outcome,
  });
  const store = async (outcome: Outcome) => {
    await write(insertScan(toStored(outcome), expiryOf(event)));
    return toResult(toStored(outcome));
  };
  if (!seatContext || seatContext.event.id !== event.id) return store(unknown);
  const last = lastAdmission(seatContext.seat, door.list);
  // It was carried out online, and the device did not get the answer.
  if (isRepetition(scan, seatContext.seat))
    return store({ result: 'admitted', admittedAt: last?.checkedInAt ?? null });
  const refusal = await findRefusal(seatContext, upload.hash, scan);
  if (refusal) return store(refusal);
  const chainChecked = direction === 'entry' ? await checkToken(seatContext) : undefined;
  if (chainChecked === 'moved') return store({ result: 'transferred', admittedAt: null });
  const admittedAt = direction === 'entry' ? at : (last?.checkedInAt ?? null);
  // Somebody has come in since: the later admission stands, and an exit before it does not end it.
  if (last && at < last.checkedInAt) return store({ result: 'admitted', admittedAt });
  const accepted = toStored({ result: 'admitted', admittedAt });
  await writePassage(seatContext.seat, seatContext, scan, chainChecked, [
    insertScan(accepted, expiryOf(event)),
  ]);
  await lockAfterAdmission(event, seatContext.ticket);
  return toResult(accepted);
}

/** Returns when a device scanned. Its clock may be ahead, or far behind: no ticket is older than its event. */
function scannedAt({ at }: Upload, { createdAt }: Event): string {
  const earliest = Date.parse(createdAt) - dayMilliseconds;
  return new Date(Math.min(Math.max(Date.parse(at), earliest), Date.now())).toISOString();
}

type Outcome = Pick<DoorScan, 'result' | 'admittedAt' | 'first'>;
const unknown: Outcome = { result: 'unknown', admittedAt: null };

/** Returns why a ticket that was let in offline was not to be; undefined when it was. */
async function findRefusal(
  { seat, order, event }: SeatContext,
  hash: string,
  scan: Scan,
): Promise<Outcome | undefined> {
  const code = await recognizeCode(seat, hash);
  if (!code) return unknown;
  const orderRefusal = admissionError(order, event, seat.number)?.code;
  if (orderRefusal === 'refunded' || orderRefusal === 'event-cancelled')
    return { result: 'refunded', admittedAt: null };
  if (orderRefusal || Date.parse(scan.at) > admissionEnd(event)) return unknown;
  if (code === 'former') return { result: 'transferred', admittedAt: null };
  const refusal = passageError(seat, itemOfSeat(order, seat.number).tierId, scan, event);
  if (refusal?.code === 'wrong-list') return { result: 'wrong-list', admittedAt: null };
  const last = lastAdmission(seat, scan.list);
  if (refusal?.code !== 'already-checked-in' || !last) return refusal && unknown;
  const first = { deviceId: last.deviceId ?? null, at: last.checkedInAt, by: last.checkedInBy };
  return { result: 'already-admitted', admittedAt: last.checkedInAt, first };
}

/** Asks the chain for the owner of a ticket's token, where the event admits by token. */
async function checkToken(seatContext: SeatContext): Promise<boolean | 'moved' | undefined> {
  try {
    return await requireTokenOwnership(seatContext);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'token-moved') return 'moved';
    throw error;
  }
}

const expiryOf = (event: Event) => Math.floor((endOf(event) + retentionMilliseconds) / 1000);

const toResult = ({ scanId, result, admittedAt }: DoorScan): ScanResult => ({ scanId, result, admittedAt });
