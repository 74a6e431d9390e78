import { useRef } from 'preact/hooks';
import { isUncertain } from '../errors.ts';

/**
 * Returns functions for a request that must be carried out only once. `sendOnce` sends the request with an idempotency
 * key, and keeps the key for the next attempt while the outcome is uncertain. `reset` discards the key before a
 * different request.
 */
export function useIdempotencyKey() {
  const key = useRef<string>(undefined);
  const reset = () => {
    key.current = undefined;
  };
  const sendOnce = async <Result>(
    request: (options: { idempotencyKey: string }) => Promise<Result>,
  ): Promise<Result> => {
    key.current ??= crypto.randomUUID();
    try {
      const result = await request({ idempotencyKey: key.current });
      reset();
      return result;
    } catch (error) {
      if (!isUncertain(error)) reset();
      throw error;
    }
  };
  return { sendOnce, reset };
}
