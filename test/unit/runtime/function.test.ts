import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchWorker, queueWorker } from '../../../shared/runtime/function.ts';
import { prime } from '../../../shared/runtime/prime.ts';

let lines: string[];
beforeEach(() => {
  lines = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

/** Creates an event with the message ids 0, 1, … */
const createEvent = (...bodies: string[]) =>
  ({
    Records: bodies.map((body, index) => ({
      body,
      messageId: String(index),
      attributes: { ApproximateReceiveCount: '2' },
    })),
  }) as unknown as SQSEvent;
const definition = { queue: 'send-mail', batchSize: 1, batchSeconds: 0, maxConcurrency: 1 } as const;
const failures = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

describe('a worker of single messages', () => {
  it('returns only the failed message to the queue', async () => {
    const handle = vi.fn(async (message: unknown) => {
      if (message === 'b') throw new Error('not now');
    });
    expect(await queueWorker(definition, handle)(createEvent('"a"', '"b"', '"c"'))).toEqual(failures('1'));
    expect(handle.mock.calls).toEqual([['a'], ['b'], ['c']]);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      message: 'Message failed',
      messageId: '1',
      deliveries: 2,
      cause: 'Error: not now',
    });
  });

  it('returns a message that is not JSON to the queue, and handles the others', async () => {
    const handle = vi.fn(async () => {});
    expect(await queueWorker(definition, handle)(createEvent('{', '"b"'))).toEqual(failures('0'));
    expect(handle.mock.calls).toEqual([['b']]);
  });
});

describe('a worker of batches', () => {
  it('returns the messages at the reported indexes to the queue', async () => {
    const handleAll = vi.fn(async () => [1]);
    expect(await batchWorker(definition, handleAll)(createEvent('"a"', '"b"', '"c"'))).toEqual(failures('1'));
    expect(handleAll.mock.calls).toEqual([[['a', 'b', 'c']]]);
  });

  it('processes the other messages of a batch when one is not JSON', async () => {
    const handleAll = vi.fn(async () => [1]);
    expect(await batchWorker(definition, handleAll)(createEvent('"a"', 'oops', '"c"'))).toEqual(
      failures('1', '2'),
    );
    expect(handleAll.mock.calls).toEqual([[['a', 'c']]]);
  });

  it('does not call its handler when no message is JSON', async () => {
    const handleAll = vi.fn(async () => []);
    expect(await batchWorker(definition, handleAll)(createEvent('oops'))).toEqual(failures('0'));
    expect(handleAll).not.toHaveBeenCalled();
  });

  it('fails the whole batch when its handler throws', async () => {
    const worker = batchWorker(definition, () => Promise.reject(new Error('no table')));
    await expect(worker(createEvent('"a"'))).rejects.toThrow('no table');
  });
});

describe('priming', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('runs every step, even if others fail', async () => {
    const done: string[] = [];
    await prime([
      () => Promise.reject(new Error('the table is down')),
      () => {
        throw new Error('TABLE_NAME is not configured');
      },
      async () => done.push('a'),
      async () => done.push('b'),
    ]);
    expect(done).toEqual(['a', 'b']);
  });

  it('ends after 2 s, even if a step is still running', async () => {
    let hasEnded = false;
    const priming = prime([() => new Promise(() => {})]).then(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await priming;
    expect(hasEnded).toBe(true);
  });
});
