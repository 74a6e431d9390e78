import { checksumAddress } from '../core/schemas.ts';
import {
  ChainUnreachable,
  type Connection,
  connect,
  findAgreedAnswer,
  RpcError,
  type RpcNode,
  readFinalBlock,
  readFromAllNodes,
  toBlockTag,
} from './connection.ts';

/** A token of an ERC-721 contract. */
export interface Token {
  chainId: number;
  /** Checksummed. */
  contractAddress: string;
  /** Decimal. */
  tokenId: string;
}

/**
 * The selector of `ownerOf(uint256)`. A constant, so the check-in function does not load a library for contract
 * calls.
 */
const ownerOfSelector = '0x6352211e';

/**
 * Reads the owner of a token, checksummed.
 * @returns undefined when there is no such token or contract
 * @throws RpcError when the node returns an error other than a revert; another Error when it does not answer in time
 */
export async function readOwner(
  node: RpcNode,
  { contractAddress: to, tokenId }: Token,
  block: 'latest' | number = 'latest',
): Promise<string | undefined> {
  const data = ownerOfSelector + BigInt(tokenId).toString(16).padStart(64, '0');
  try {
    const answer = await node.call<string>('eth_call', [{ to, data }, toBlockTag(block)]);
    const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(answer) ?? [];
    return address && checksumAddress(`0x${address.toLowerCase()}`);
  } catch (error) {
    if (error instanceof RpcError && error.isRevert) return undefined;
    throw error;
  }
}

class OtherOwner extends Error {}

/**
 * Asks all nodes of a token's chain concurrently whether a wallet owns the token at the latest block.
 * @param wallet the expected owner; undefined when the token is expected not to exist, for example because it was
 * burned
 * @param timeoutMilliseconds the timeout of each call to a node
 * @returns true as soon as one node confirms the owner; false when no node confirms it and one returns another owner;
 * undefined when no node is configured, or none answers in time
 */
export async function checkOwner(
  wallet: string | undefined,
  token: Token,
  timeoutMilliseconds: number,
): Promise<boolean | undefined> {
  const connection = await connect(token.chainId, timeoutMilliseconds);
  if (!connection) return undefined;
  const answers = connection.nodes.map(async (node) => {
    if ((await readOwner(node, token)) !== wallet) throw new OtherOwner();
  });
  try {
    await Promise.any(answers);
    return true;
  } catch (error) {
    const { errors } = error as AggregateError;
    return errors.some((reason) => reason instanceof OtherOwner) ? false : undefined;
  }
}

/**
 * Reads the owner of a token at the newest final block, checksummed. Two nodes must agree when two are configured.
 * @returns undefined when there is no such token
 * @throws ChainUnreachable when the nodes do not answer, or disagree
 */
export async function readFinalOwner(connection: Connection, token: Token): Promise<string | undefined> {
  const { chain } = connection;
  const answers = await readFromAllNodes(connection, async (node) => ({
    owner: (await readOwner(node, token, await readFinalBlock(node, chain.finality))) ?? null,
  }));
  const answer = findAgreedAnswer(connection, answers);
  if (!answer) throw new ChainUnreachable(`The nodes of ${chain.name} do not answer, or disagree`);
  return answer.owner ?? undefined;
}
