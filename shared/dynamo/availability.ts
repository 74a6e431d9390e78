import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { TableUnavailable } from '../core/errors.ts';

/** The writes of an operation. */
interface Writes {
  /** Whether the table has executed a write, or may have although no answer arrived. */
  mayHaveWritten: boolean;
}

const currentWrites = new AsyncLocalStorage<Writes>();

/** Runs an operation and records in `writes` whether it may have written to the table. */
export function recordWrites<Result>(writes: Writes, run: () => Promise<Result>): Promise<Result> {
  return currentWrites.run(writes, run);
}

/**
 * Makes a client throw TableUnavailable when the table throttles, fails or does not answer, and record writes. Each
 * attempt counts: a throttled one can follow one whose answer was lost.
 */
export function watchAvailability({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw isUnavailability(error) ? new TableUnavailable(error) : error;
      }
    },
    { name: 'tableUnavailable', step: 'initialize', priority: 'high' },
  );
  middlewareStack.add(
    (next) => async (args) => {
      const writes = currentWrites.getStore();
      if (!writes || !isWrite(args.request)) return next(args);
      try {
        const answer = await next(args);
        writes.mayHaveWritten = true;
        return answer;
      } catch (error) {
        // Only an answer of the table that refuses the request proves that nothing was written.
        if ((error as AwsError).$fault !== 'client') writes.mayHaveWritten = true;
        throw error;
      }
    },
    // After the middleware that retries, so once for each attempt.
    { name: 'recordWrites', step: 'finalizeRequest', priority: 'low' },
  );
}

function isWrite(request: unknown): boolean {
  const { headers } = request as { headers: Record<string, string> };
  return /\.(Put|Update|Delete|BatchWrite|TransactWrite)Items?$/.test(headers['x-amz-target'] ?? '');
}

/** The fields that distinguish errors of the SDK, of its HTTP client and of Node. */
interface AwsError {
  name?: string;
  $fault?: 'client' | 'server';
  code?: string;
}

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  // The SDK has repeated a transaction whose first answer was lost, and the table still executes it.
  'TransactionInProgressException',
]);
const timeouts = new Set(['TimeoutError', 'AbortError']);

function isUnavailability(error: unknown): boolean {
  const { name = '', $fault, code } = error as AwsError;
  const isConnectionError = code !== undefined && /^(E[A-Z_]+|UND_ERR_.*)$/.test(code);
  return $fault === 'server' || throttles.has(name) || timeouts.has(name) || isConnectionError;
}
