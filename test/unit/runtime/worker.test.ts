import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchWorker, queueWorker } from '../../../shared/runtime/worker.ts';

let lines: string[];
beforeEach(() => {
  lines = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

/** An event whose messages are called 0, 1, … */
const event = (...bodies: string[]) =>
  ({
    Records: bodies.map((body, index) => ({
      body,
      messageId: String(index),
      attributes: { ApproximateReceiveCount: '2' },
    })),
  }) as unknown as SQSEvent;
const failures = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

describe('a worker of single messages', () => {
  it('has only the message delivered again that failed', async () => {
    const take = vi.fn(async (message: string) => {
      if (message === 'b') throw new Error('not now');
    });
    expect(await queueWorker(take)(event('"a"', '"b"', '"c"'))).toEqual(failures('1'));
    expect(take.mock.calls).toEqual([['a'], ['b'], ['c']]);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      message: 'Message failed',
      messageId: '1',
      deliveries: 2,
      cause: 'Error: not now',
    });
  });

  it('has only the message delivered again that is no JSON', async () => {
    const take = vi.fn(async () => {});
    expect(await queueWorker(take)(event('{', '"b"'))).toEqual(failures('0'));
    expect(take.mock.calls).toEqual([['b']]);
  });
});

describe('a worker of batches', () => {
  it('returns the messages at the reported indexes to the queue', async () => {
    const handleAll = vi.fn(async () => [1]);
    expect(await batchWorker(handleAll)(event('"a"', '"b"', '"c"'))).toEqual(failures('1'));
    expect(handleAll.mock.calls).toEqual([[['a', 'b', 'c']]]);
  });

  it('processes the other messages of a batch when one is not JSON', async () => {
    const handleAll = vi.fn(async () => [1]);
    expect(await batchWorker(handleAll)(event('"a"', 'oops', '"c"'))).toEqual(failures('1', '2'));
    expect(handleAll.mock.calls).toEqual([[['a', 'c']]]);
  });

  it('is not called when no message is JSON', async () => {
    const handleAll = vi.fn(async () => []);
    expect(await batchWorker(handleAll)(event('oops'))).toEqual(failures('0'));
    expect(handleAll).not.toHaveBeenCalled();
  });

  it('fails as a whole when its work throws', async () => {
    const work = batchWorker(() => Promise.reject(new Error('no table')));
    await expect(work(event('"a"'))).rejects.toThrow('no table');
  });
});
