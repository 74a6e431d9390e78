import * as z from 'zod';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItem, queryPage } from '../../dynamo/read.ts';
import { put, type Write } from '../../dynamo/write.ts';
import { doorConflict } from '../check-in/views.ts';
import { scanResult } from './views.ts';

/** A scan that a device made offline, with its result. Times are ISO 8601 in UTC. */
const doorScan = z.object({
  eventId: z.string(),
  scanId: z.string(),
  orderId: z.string(),
  number: z.number(),
  deviceId: z.string(),
  at: z.string(),
  /** Who was signed in when it went up. */
  by: z.string(),
  result: scanResult.shape.result,
  admittedAt: z.string().nullable(),
  /** The admission that came first. */
  first: doorConflict.shape.first.optional(),
});
export type DoorScan = z.infer<typeof doorScan>;

/** The scan was accepted or refused before. */
export class ScanExists extends Error {
  readonly scan: DoorScan;
  constructor(scan: DoorScan) {
    super(`Scan ${scan.scanId} exists`);
    this.scan = scan;
  }
}

export async function findScan(
  eventId: string,
  scanId: string,
  seat: { orderId: string; number: number },
): Promise<DoorScan | undefined> {
  const item = await getItem(keys.doorScan(eventId, scanId, seat));
  return item && doorScan.parse(item);
}

/**
 * Stores a scan with its result. The index lists the refused ones.
 * @param ttl when it may be deleted, in epoch seconds
 * @throws ScanExists from the write
 */
export function insertScan(scan: DoorScan, ttl: number): Write {
  const isConflict = scan.result !== 'admitted';
  return put(
    {
      ...keys.doorScan(scan.eventId, scan.scanId, scan),
      ...scan,
      ttl,
      ...(isConflict && {
        eventPk: partitions.eventConflicts(scan.eventId),
        eventSk: `${scan.at}#${scan.scanId}`,
      }),
    },
    {
      when: 'attribute_not_exists(#pk)',
      orThrow: (current) => new ScanExists(doorScan.parse(current)),
    },
  );
}

/** Lists the refused scans of an event, newest first. The index may lag by a second. */
export async function findConflicts(eventId: string, limit: number): Promise<DoorScan[]> {
  const source = { index: 'byEvent', partition: partitions.eventConflicts(eventId) } as const;
  return (await queryPage(source, { limit })).items.map((item) => doorScan.parse(item));
}
