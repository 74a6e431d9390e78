import type { Actor } from '../../accounts/auth/authorize.ts';
import { type Event, endOf } from '../../catalog/events/event.ts';
import { DomainError } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { admissionEnd, admissionError } from '../check-in/admissions.ts';
import { requireTokenOwnership, writeAdmission } from '../check-in/check-in-seat.ts';
import { lockAfterAdmission } from '../request-lock.ts';
import { findSeat, retryOnChange, type SeatContext } from '../seats/find-seat.ts';
import type { SeatReference } from '../ticket.ts';
import { recognizeCode } from './code-hash.ts';
import { authorizeDoor } from './list-door.ts';
import { type DoorScan, findScan, insertScan, ScanExists } from './store.ts';
import type { ScanResult, ScansRequest } from './views.ts';

type Scan = ScansRequest['scans'][number];

/** How many seats are written at the same time. */
const maximumConcurrent = 10;

/** How long scans are kept after the event, in milliseconds. */
const retentionMilliseconds = 90 * 24 * 60 * 60 * 1000;

/**
 * Accepts the admissions that a device made offline, in their order: each is admitted as of its time, or kept as a conflict
 * with the reason, since somebody came in with the ticket. A repeated scan has its first result.
 * @returns the results in the order of the scans
 * @throws DomainError 404, 403 as `listDoor`
 */
export async function acceptScans(
  caller: Actor,
  eventId: string,
  { deviceId, scans }: ScansRequest,
): Promise<ScanResult[]> {
  const event = await authorizeDoor(caller, eventId);
  const results = new Map<string, ScanResult>();
  // Scans of one seat wait for each other.
  const groups = [...Map.groupBy(scans, ({ seat }) => seat).values()];
  for (let start = 0; start < groups.length; start += maximumConcurrent) {
    await Promise.all(
      groups.slice(start, start + maximumConcurrent).map(async (scansOfSeat) => {
        for (const scan of scansOfSeat)
          results.set(scan.scanId, await acceptScan(caller, event, deviceId, scan));
      }),
    );
  }
  return scans.flatMap(({ scanId }) => results.get(scanId) ?? []);
}

async function acceptScan(caller: Actor, event: Event, deviceId: string, scan: Scan): Promise<ScanResult> {
  const [orderId = '', number] = scan.seat.split('.');
  const reference = { orderId, number: Number(number) };
  const now = new Date().toISOString();
  const at = new Date(scan.at).toISOString();
  const base = {
    eventId: event.id,
    scanId: scan.scanId,
    ...reference,
    deviceId,
    // The clock of a device may be ahead.
    at: at < now ? at : now,
    by: caller.userId,
  };
  try {
    return await retryOnChange(() => decideScan(event, reference, scan.hash, base));
  } catch (error) {
    if (error instanceof ScanExists) return toResult(error.scan);
    throw error;
  }
}

type ScanFields = Omit<DoorScan, 'result' | 'admittedAt' | 'first'>;

async function decideScan(
  event: Event,
  reference: SeatReference,
  hash: string,
  fields: ScanFields,
): Promise<ScanResult> {
  const [known, seatContext] = await Promise.all([findScan(event.id, fields.scanId), findSeat(reference)]);
  if (known) return toResult(known);
  const { scanId, at, by: checkedInBy, deviceId } = fields;
  const store = async (outcome: Omit<DoorScan, keyof ScanFields>) => {
    const scan = { ...fields, ...outcome };
    await write(insertScan(scan, expiryOf(event)));
    return toResult(scan);
  };
  if (!seatContext || seatContext.event.id !== event.id)
    return store({ result: 'unknown', admittedAt: null });
  const { seat } = seatContext;
  // It was admitted online, and the device did not get the answer.
  if (seat.checkedInAt !== undefined && seat.scanId === scanId)
    return store({ result: 'admitted', admittedAt: seat.checkedInAt });
  const refusal = await findRefusal(seatContext, hash, at);
  if (refusal) return store(refusal);
  const chainChecked = await checkToken(seatContext);
  if (chainChecked === 'moved') return store({ result: 'transferred', admittedAt: null });
  const scan = { ...fields, result: 'admitted' as const, admittedAt: at };
  await writeAdmission(seat, seatContext, { checkedInAt: at, checkedInBy, scanId, deviceId, chainChecked }, [
    insertScan(scan, expiryOf(event)),
  ]);
  await lockAfterAdmission(event, seatContext.ticket);
  return toResult(scan);
}

/** Returns why a ticket that was admitted offline was not to be admitted; undefined when it was. */
async function findRefusal(
  { seat, order, event }: SeatContext,
  hash: string,
  at: string,
): Promise<Omit<DoorScan, keyof ScanFields> | undefined> {
  const code = await recognizeCode(seat, hash);
  if (!code) return { result: 'unknown', admittedAt: null };
  const refusal = admissionError(order, event, seat.number)?.code;
  const isRefunded = refusal === 'refunded' || refusal === 'event-cancelled';
  if (isRefunded) return { result: 'refunded', admittedAt: null };
  if (refusal || Date.parse(at) > admissionEnd(event)) return { result: 'unknown', admittedAt: null };
  if (code === 'former') return { result: 'transferred', admittedAt: null };
  if (seat.checkedInAt === undefined) return undefined;
  const first = { deviceId: seat.deviceId ?? null, at: seat.checkedInAt, by: seat.checkedInBy ?? null };
  return { result: 'already-admitted', admittedAt: seat.checkedInAt, first };
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
