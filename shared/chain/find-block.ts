import { connect, findAgreedAnswer, readFinalBlock, readFromAllNodes } from './connection.ts';
import { findBlockAt } from './outcome.ts';

export interface FoundBlock {
  /** Hex, without 0x. */
  hash: string;
  number: number;
}

/**
 * Finds a chain's first block at or after a time, once it is final, so that it can be checked for ever. Two nodes agree on
 * it, or the only configured one.
 * @param time epoch milliseconds
 * @returns undefined while no node has such a block, `not-final` while the block may still change, `none` where no node is
 * configured
 */
export async function findFirstBlock(
  chainId: number,
  time: number,
): Promise<FoundBlock | undefined | 'not-final' | 'none'> {
  const connection = await connect(chainId);
  if (!connection) return 'none';
  const answers = await readFromAllNodes(connection, async (node) => {
    const latest = Number(await node.call<string>('eth_blockNumber', []));
    const number = (await findBlockAt(node, time - 1, latest)) + 1;
    if (number > latest) throw new Error('The chain has no such block yet');
    if (number > (await readFinalBlock(node, connection.chain.finality))) return 'not-final';
    const block = await node.call<{ hash: string }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ]);
    return { hash: block.hash.slice(2), number };
  });
  return findAgreedAnswer(connection, answers) ?? (answers.length > 0 ? 'not-final' : undefined);
}
