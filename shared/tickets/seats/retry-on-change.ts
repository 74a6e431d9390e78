import { conflict } from '../../core/errors.ts';
import { OrderTransitionRefused } from '../../orders/store.ts';
import { retry } from '../../runtime/retry.ts';
import { SeatChanged } from './store.ts';

/** Runs an operation on a seat. Repeats it when the seat or its order changed after it was read. */
export function retryOnChange<Result>(operation: () => Promise<Result>): Promise<Result> {
  return retry(operation, {
    isRetryable: (error) => error instanceof SeatChanged || error instanceof OrderTransitionRefused,
    exhaustedError: () => conflict('busy', 'The ticket is being changed right now, please try again', 1),
  });
}
