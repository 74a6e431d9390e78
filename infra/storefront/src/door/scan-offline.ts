import type { DoorSeat } from 'boxoffice-client';
import { shortTime } from '../format.ts';
import { t } from '../texts/door.ts';
import { hashCode, judge, parseCode, type Verdict } from './judge.ts';
import { findSeat, readDoor, readScans, removeScans, storeScan } from './storage.ts';
import { describeAddOn, describeExit, refusalOf, type ScanOptions, type ScanResult } from './submit-scan.ts';

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
    const letIn = async () => {
      await store(scan, verdict.seat, verdict.hash);
      return {
        kind: 'offline' as const,
        title: t('scan.letIn'),
        text: t('scan.letInText'),
        scanId: scan.scanId,
      };
    };
    return { kind: 'unknown', title: t('scan.notOnList'), text: t('scan.notOnListText'), letIn };
  }
  const { seat, hash } = verdict;
  await store(scan, seat.seat, hash);
  if (verdict.kind === 'out') return { ...describeExit(seat.attendee), kind: 'offline' };
  const admission = { kind: 'offline' as const, seat: toReference(seat), scanId: scan.scanId };
  if (seat.kind === 'addon') return { ...admission, ...describeAddOn(seat.tier, seat.attendee) };
  const text = t('scan.offlineText', { tier: seat.tier });
  return { ...admission, title: t('scan.offline'), name: seat.attendee, text };
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
    const lists = verdict.lists.join(', ') || t('scan.noList');
    const text = t('scan.wrongDoorText', { tier: verdict.seat.tier, lists });
    return { kind: 'refused', title: t('scan.wrongDoor'), text };
  }
  if (verdict.reason === 'admitted') {
    const { attendee = '', tier = '' } = verdict.seat ?? {};
    const text = verdict.admittedAt
      ? t('scan.alreadyInSince', { attendee, tier, time: shortTime(verdict.admittedAt) })
      : t('scan.alreadyInText', { attendee, tier });
    return { kind: 'refused', title: t('scan.alreadyIn'), text };
  }
  const codes = { invalid: 'invalid-code', transferred: 'moved' } as const;
  const { reason } = verdict;
  const code = reason === 'invalid' || reason === 'transferred' ? codes[reason] : reason;
  return refusalOf(code) ?? { kind: 'refused', title: t('scan.notAdmitted'), text: '' };
}
