import { listDoor, ok, uploadScans } from 'boxoffice-client';
import { isRefusal, isUncertain } from '../errors.ts';
import { resumeSession } from '../session/session.ts';
import { deviceId } from './device.ts';
import { doorId, readDoor, readScans, removeDoors, removeScans, storePage } from './storage.ts';

/** The door of an event at which this device admits. */
export interface DoorOfDevice {
  eventId: string;
  listId: string | undefined;
}

/** How long a request may take, in milliseconds. */
const requestTimeout = 15_000;
/** The most scans of one request. */
const maximumScans = 100;

/** The result of a synchronization. `signed-out`: somebody has to sign in before scans are sent. */
export type SyncState = 'online' | 'offline' | 'signed-out' | 'refused';

/**
 * Sends the scans that the service does not have, then loads what has changed about the seats of a door; the whole list when
 * the device has none. All progress is stored, so that an interruption costs nothing.
 */
export async function synchronize(door: DoorOfDevice): Promise<SyncState> {
  try {
    await exchange(door).catch(async (error) => {
      // The page was opened without network, and so without a session.
      if (!isRefusal(error, 401) || !(await resumeSession())) throw error;
      await exchange(door);
    });
    return 'online';
  } catch (error) {
    return stateOf(error);
  }
}

async function exchange(door: DoorOfDevice): Promise<void> {
  await sendScans();
  await loadSeats(door);
}

/** @throws the error, when it says nothing about the network or the door */
function stateOf(error: unknown): SyncState {
  if (isRefusal(error, 401)) return 'signed-out';
  // 400: the event has other check-in lists now.
  if (isRefusal(error, 400, 403, 404)) return 'refused';
  if (isUncertain(error) || isTimeout(error) || isRefusal(error, 429)) return 'offline';
  throw error;
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

/** Sends all scans of this device, of whichever door. Those of a door that refuses this person stay for somebody else. */
async function sendScans(): Promise<void> {
  const doors = Map.groupBy(await readScans(), ({ scan }) => scan.door);
  for (const waiting of doors.values()) {
    for (let start = 0; start < waiting.length; start += maximumScans) {
      const batch = waiting.slice(start, start + maximumScans);
      const [
        {
          scan: { eventId, listId },
        },
      ] = batch as [StoredEntry];
      const scans = batch.map(({ scan: { scanId, seat, hash, at, direction } }) => ({
        scanId,
        seat,
        hash,
        at,
        direction,
      }));
      const body = { deviceId: deviceId(), ...(listId && { listId }), scans };
      const sent = ok(uploadScans(eventId, body, { signal: AbortSignal.timeout(requestTimeout) }));
      const { results } = await sent.catch((error) => {
        if (isRefusal(error, 400, 403, 404)) return { results: [] };
        throw error;
      });
      const answered = new Set(results.map(({ scanId }) => scanId));
      await removeScans(batch.filter(({ scan }) => answered.has(scan.scanId)).map(({ key }) => key));
    }
  }
}
type StoredEntry = Awaited<ReturnType<typeof readScans>>[number];

async function loadSeats({ eventId, listId }: DoorOfDevice): Promise<void> {
  const id = doorId(eventId, listId);
  const stored = await readDoor(id);
  let cursor = stored?.cursor;
  for (let isComplete = false; !isComplete; ) {
    const page = await ok(
      listDoor(eventId, { listId, cursor }, { signal: AbortSignal.timeout(requestTimeout) }),
    );
    await storePage(id, page);
    ({ isComplete, cursor } = page);
  }
}

/** Removes the lists of events that are over. */
export const removePastDoors = () => removeDoors(({ event }) => Date.parse(event.endsAt) < Date.now());
