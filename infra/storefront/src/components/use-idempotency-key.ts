import { useRef } from 'preact/hooks';
import { isUncertain } from '../errors.ts';
import { tryStorage } from '../storage.ts';

/**
 * Returns functions for a request that must be carried out only once. `sendOnce` sends the request with an idempotency
 * key, and keeps the key for the next attempt while the outcome is uncertain. `reset` discards the key before a
 * different request.
 * @param storageKey keeps the key in this browser too, for a page whose input survives a reload
 */
export function useIdempotencyKey(storageKey?: string) {
  const key = useRef<string>(undefined);
  const reset = () => {
    key.current = undefined;
    if (storageKey) tryStorage(() => localStorage.removeItem(storageKey));
  };
  const sendOnce = async <Result>(
    request: (options: { idempotencyKey: string }) => Promise<Result>,
  ): Promise<Result> => {
    const kept = storageKey && tryStorage(() => localStorage.getItem(storageKey));
    const idempotencyKey = key.current ?? (kept || crypto.randomUUID());
    key.current = idempotencyKey;
    if (storageKey) tryStorage(() => localStorage.setItem(storageKey, idempotencyKey));
    try {
      const result = await request({ idempotencyKey });
      reset();
      return result;
    } catch (error) {
      if (!isUncertain(error)) reset();
      throw error;
    }
  };
  return { sendOnce, reset };
}
