import type { DoorSeat } from 'boxoffice-client';
import { shortTime } from '../format.ts';
import { hashCode, judge, parseCode, type Verdict } from './judge.ts';
import { findSeat, readDoor, readScans, removeScans, storeScan } from './storage.ts';
import { describeExit, refusals, type ScanOptions, type ScanResult } from './submit-scan.ts';

interface OfflineScan extends ScanOptions {
  door: string;
  eventId: string;
  scanId: string;
  code: string;
}

/**
 * Decides about a code by what this device has stored, and keeps an admission until the service has it.
 * @throws Error when the device has no list of the door, or can't store the scan
 */
export async function scanOffline({ code, ...scan }: OfflineScan): Promise<ScanResult> {
  const stored = await readDoor(scan.door);
  if (!stored) throw new Error('This device has no list of the door');
  const hash = await hashCode(code);
  const name = parseCode(code)?.seat ?? '';
  const [seat, waiting] = await Promise.all([findSeat(scan.door, name), readScans(scan.door)]);
  const scans = waiting.flatMap((each) => (each.scan.seat === name ? [each.scan] : []));
  const known = { ...scan, event: stored.event, seat, scans, hash, now: new Date() };
  return carryOut(judge(code, known), scan);
}

async function carryOut(verdict: Verdict, scan: Omit<OfflineScan, 'code'>): Promise<ScanResult> {
  if (verdict.kind === 'refuse') return describeRefusal(verdict);
  if (verdict.kind === 'ask') {
    const text =
      'It may have been bought after this device loaded its list. Ask for the order, or find the name later.';
    const letIn = async () => {
      await store(scan, verdict.seat, verdict.hash);
      return {
        kind: 'offline' as const,
        title: 'Let in',
        text: 'Checked when the network is back.',
        scanId: scan.scanId,
      };
    };
    return { kind: 'unknown', title: 'Not on the list', text, letIn };
  }
  const { seat, hash } = verdict;
  await store(scan, seat.seat, hash);
  if (verdict.kind === 'out') return { ...describeExit(seat.attendee), kind: 'offline' };
  return {
    kind: 'offline',
    title: 'In, offline',
    name: seat.attendee,
    text: `${seat.tier}. Not confirmed: the ticket could be used at another gate.`,
    seat: toReference(seat),
    scanId: scan.scanId,
  };
}

function store(
  { door, eventId, listId, direction, scanId }: Omit<OfflineScan, 'code'>,
  seat: string,
  hash: string,
) {
  const at = new Date().toISOString();
  return storeScan({ scanId, door, eventId, ...(listId && { listId }), seat, hash, direction, at });
}

/** Takes back an admission that the service does not have yet. @returns whether it did not have it */
export async function undoOffline(door: string, scanId: string): Promise<boolean> {
  const found = (await readScans(door)).find(({ scan }) => scan.scanId === scanId);
  if (found) await removeScans([found.key]);
  return found !== undefined;
}

function toReference({ seat }: DoorSeat) {
  const [orderId = '', number] = seat.split('.');
  return { orderId, number: Number(number) };
}

function describeRefusal(verdict: Extract<Verdict, { kind: 'refuse' }>): ScanResult {
  if (verdict.reason === 'wrong-list') {
    const text = `${verdict.seat.tier} is not admitted here, but at: ${verdict.lists.join(', ') || 'no list'}.`;
    return { kind: 'refused', title: 'Wrong door', text };
  }
  if (verdict.reason === 'admitted') {
    const { seat, admittedAt } = verdict;
    const since = admittedAt ? ` since ${shortTime(admittedAt)}` : '';
    return { kind: 'refused', title: 'Already in', text: `${seat?.attendee}, ${seat?.tier}: in${since}.` };
  }
  const codes = { invalid: 'invalid-code', transferred: 'moved' } as const;
  const { reason } = verdict;
  const code = reason === 'invalid' || reason === 'transferred' ? codes[reason] : reason;
  return { kind: 'refused', ...(refusals[code] ?? { title: 'Not admitted', text: '' }) };
}
