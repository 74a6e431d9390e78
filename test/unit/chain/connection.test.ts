import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ChainUnreachable,
  connect,
  findAgreedAnswer,
  readFromAllNodes,
  readFromAnyNode,
} from '../../../shared/chain/connection.ts';

async function connectTo(count: number) {
  vi.stubEnv(
    'CHAIN_137_RPC_URLS',
    Array.from({ length: count }, (_, index) => `http://node${index}`).join(' , '),
  );
  const connection = await connect(137);
  if (!connection) throw new Error('No connection');
  return connection;
}

afterEach(() => vi.unstubAllEnvs());

describe('a chain', () => {
  it.each([undefined, '', ' , '])('without endpoints (%j) is not connected', async (urls) => {
    vi.stubEnv('CHAIN_137_RPC_URLS', urls);
    expect(await connect(137)).toBeUndefined();
  });

  it('is read from the first node that answers', async () => {
    const connection = await connectTo(3);
    const read = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce('second');
    expect(await readFromAnyNode(connection, read)).toBe('second');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is unreachable when no node answers', async () => {
    const read = vi.fn().mockRejectedValue(new Error('down'));
    await expect(readFromAnyNode(await connectTo(2), read)).rejects.toThrow(ChainUnreachable);
  });

  it('is read from all nodes that answer', async () => {
    const read = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue('here');
    expect(await readFromAllNodes(await connectTo(3), read)).toEqual(['here', 'here']);
  });
});

describe('an agreed answer', () => {
  it('is the answer of the only node', async () => {
    expect(findAgreedAnswer(await connectTo(1), [{ a: 1 }])).toEqual({ a: 1 });
  });

  it('is the answer on which two nodes agree', async () => {
    expect(findAgreedAnswer(await connectTo(2), [{ a: 1 }, { a: 1 }])).toEqual({ a: 1 });
    expect(findAgreedAnswer(await connectTo(3), [{ a: 2 }, { a: 1 }, { a: 1 }])).toEqual({ a: 1 });
  });

  it('is undefined when two nodes differ, or one of two does not answer', async () => {
    expect(findAgreedAnswer(await connectTo(2), [{ a: 1 }, { a: 2 }])).toBeUndefined();
    expect(findAgreedAnswer(await connectTo(2), [{ a: 1 }])).toBeUndefined();
    expect(findAgreedAnswer(await connectTo(1), [])).toBeUndefined();
  });
});
