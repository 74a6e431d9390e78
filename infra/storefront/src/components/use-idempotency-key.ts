import { useRef } from 'preact/hooks';
import { isUncertain } from '../errors.ts';

/**
 * Returns how to send a request that must be carried out once. `sendOnce` sends it with an idempotency key. The key stays
 * for the next attempt while the outcome is uncertain, so that the repetition is not carried out again. `reset` drops the
 * key when the next attempt is another request.
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
