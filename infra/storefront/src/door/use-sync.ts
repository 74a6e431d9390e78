import { useEffect, useRef, useState } from 'preact/hooks';
import { doorId, readDoor, readScans, type StoredDoor } from './storage.ts';
import { type DoorOfDevice, removePastDoors, type SyncState, synchronize } from './sync.ts';

/** Milliseconds between two synchronizations: devices learn of each other's admissions within ten seconds. */
const syncInterval = 5_000;

export interface Sync {
  state: SyncState | 'starting';
  /** The list of this device; undefined while it has none. */
  stored: StoredDoor | undefined;
  /** Whether this device can do without network: it has all seats, and the page’s files. */
  isReady: boolean;
  /** The number of scans that the service does not have yet. */
  waiting: number;
  /** Reads again what this device has stored. */
  refresh(): Promise<void>;
}

/**
 * Keeps a door's list on this device up to date and sends its scans, while the page is open, and lets the page start without
 * network.
 * @param isEnabled whether the event allows that
 */
export function useSync({ eventId, listId }: DoorOfDevice, isEnabled: boolean): Sync {
  const [sync, setSync] = useState<Omit<Sync, 'refresh' | 'isReady'>>({
    state: 'starting',
    stored: undefined,
    waiting: 0,
  });
  const [isInstalled, setInstalled] = useState(false);
  const running = useRef<Promise<void>>(undefined);
  const id = doorId(eventId, listId);

  const run = async () => {
    // Another tab of the same door sends the same scans, so that one of them waits.
    const state = await navigator.locks.request(`door ${id}`, () => synchronize({ eventId, listId }));
    setSync({ state, ...(await readStored(id)) });
  };
  const refresh = async () => {
    const stored = await readStored(id);
    setSync((earlier) => ({ ...earlier, ...stored }));
  };
  const now = () => {
    running.current ??= run()
      .catch(console.error)
      .finally(() => {
        running.current = undefined;
      });
    return running.current;
  };

  useEffect(() => {
    if (!isEnabled) return;
    void install().then(() => setInstalled(true), console.error);
    // Browsers then do not remove what is stored when the disk is full.
    void navigator.storage?.persist?.();
    void removePastDoors();
    void refresh();
    void now();
    const timer = setInterval(now, syncInterval);
    addEventListener('online', now);
    return () => {
      clearInterval(timer);
      removeEventListener('online', now);
    };
  }, [id, isEnabled]);
  return { ...sync, isReady: isInstalled && sync.stored?.isComplete === true, refresh };
}

/** Installs the service worker, which has stored the page's files once it is active. */
async function install(): Promise<void> {
  await navigator.serviceWorker?.register('/service-worker.js');
  await navigator.serviceWorker?.ready;
}

async function readStored(id: string): Promise<Pick<Sync, 'stored' | 'waiting'>> {
  const [stored, scans] = await Promise.all([readDoor(id), readScans()]);
  return { stored, waiting: scans.length };
}
