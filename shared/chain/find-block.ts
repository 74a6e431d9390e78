import { connect, findAgreedAnswer, readFromAllNodes } from './connection.ts';
import { findBlockAt } from './outcome.ts';

export interface FoundBlock {
  /** Hex, without 0x. */
  hash: string;
  number: number;
}

/**
 * Finds a chain's first block at or after a time, on which two nodes agree, or the only configured one.
 * @param time epoch milliseconds
 * @returns undefined while there is none, `none` where no node is configured
 */
export async function findFirstBlock(
  chainId: number,
  time: number,
): Promise<FoundBlock | undefined | 'none'> {
  const connection = await connect(chainId);
  if (!connection) return 'none';
  const answers = await readFromAllNodes(connection, async (node) => {
    const latest = Number(await node.call<string>('eth_blockNumber', []));
    const number = (await findBlockAt(node, time - 1, latest)) + 1;
    if (number > latest) throw new Error('The chain has no such block yet');
    const block = await node.call<{ hash: string }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ]);
    return { hash: block.hash.slice(2), number };
  });
  return findAgreedAnswer(connection, answers);
}
