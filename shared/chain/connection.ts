import { splitList } from '../core/schemas.ts';
import { fetchWithRetry } from '../runtime/retry.ts';
import { readSecret } from '../runtime/secrets.ts';
import { type Chain, type Finality, getChain } from './chains.ts';

/** A chain and the nodes configured for it. */
export interface Connection {
  chain: Chain;
  nodes: readonly RpcNode[];
}

/** No node answered, or the nodes disagree. Callers have to retry later. */
export class ChainUnreachable extends Error {}

const defaultTimeoutMilliseconds = 4_000;

/**
 * Connects to the nodes of a chain.
 * @param timeout the timeout of each call to a node, in milliseconds
 * @returns undefined when no node is configured
 */
export async function connect(
  chainId: number,
  timeout = defaultTimeoutMilliseconds,
): Promise<Connection | undefined> {
  const urls = splitList((await readSecret(`CHAIN_${chainId}_RPC_URLS`)) ?? '');
  if (urls.length === 0) return undefined;
  return { chain: getChain(chainId), nodes: urls.map((url) => new RpcNode(url, timeout)) };
}

/**
 * Returns the answer of the first node that answers. Use it for values that are checked again later, or are harmless
 * when wrong.
 * @throws ChainUnreachable when no node answers
 */
export async function readFromAnyNode<Result>(
  { chain, nodes }: Connection,
  read: (node: RpcNode) => Promise<Result>,
): Promise<Result> {
  let cause: unknown;
  for (const node of nodes) {
    try {
      return await read(node);
    } catch (error) {
      cause = error;
    }
  }
  throw new ChainUnreachable(`No node of ${chain.name} answers`, { cause });
}

/** Reads from all nodes. @returns the answers of the nodes that answer */
export async function readFromAllNodes<Result>(
  { nodes }: Connection,
  read: (node: RpcNode) => Promise<Result>,
): Promise<Result[]> {
  const answers = await Promise.allSettled(nodes.map(read));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/**
 * Returns the answer that irreversible steps may rely on: the same answer of two nodes, or the answer of the only
 * configured node. Returns undefined without such an answer.
 */
export function findAgreedAnswer<Answer>(
  { nodes }: Connection,
  answers: readonly Answer[],
): Answer | undefined {
  const quorum = Math.min(2, nodes.length);
  const texts = answers.map((answer) => JSON.stringify(answer));
  return answers.find((_, index) => texts.filter((text) => text === texts[index]).length >= quorum);
}

/**
 * Returns the positive answer of any node. Returns a negative answer only when two nodes agree on it, or when only one
 * is configured. Use it for values whose wrong positive answer is harmless.
 * @throws ChainUnreachable when no node answers, or they disagree
 */
export async function readPositiveFromAnyNode<Answer>(
  connection: Connection,
  read: (node: RpcNode) => Promise<Answer>,
  isPositive: (answer: Answer) => boolean,
): Promise<Answer> {
  const first = await readFromAnyNode(connection, read);
  if (isPositive(first)) return first;
  const answers = await readFromAllNodes(connection, read);
  const answer = answers.find(isPositive) ?? findAgreedAnswer(connection, answers);
  if (answer === undefined) throw new ChainUnreachable(`The nodes of ${connection.chain.name} disagree`);
  return answer;
}

/** A node's JSON-RPC error response. */
export class RpcError extends Error {
  readonly code: number;
  /** The revert data of the contract, hex. */
  readonly data: string | undefined;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = typeof data === 'string' ? data.match(/0x[0-9a-f]*/i)?.[0] : undefined;
  }

  /** Whether the contract reverted, as opposed to an error of the node. */
  get isRevert(): boolean {
    return this.code === 3 || this.data !== undefined || /revert/i.test(this.message);
  }
}

/**
 * A JSON-RPC node. It uses plain requests: an ethers provider makes additional requests (its broadcast fails when
 * it can't read the block number), caches answers, and waits up to five minutes.
 */
export class RpcNode {
  readonly #url: string;
  readonly #timeout: number;

  /** @param timeout the timeout, in milliseconds */
  constructor(url: string, timeout = defaultTimeoutMilliseconds) {
    this.#url = url;
    this.#timeout = timeout;
  }

  /** @throws RpcError when the node returns an error; another Error when it does not answer in time */
  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetchWithRetry(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(this.#timeout),
    });
    const answer = (await response.json()) as { result?: Result; error?: { code: number; message: string } };
    if (answer.error) throw new RpcError(answer.error);
    if (answer.result === undefined) throw new Error(`No result for ${method}, status ${response.status}`);
    return answer.result;
  }
}

/** Converts a block to a JSON-RPC parameter. */
export function toBlockTag(block: 'latest' | number): string {
  return block === 'latest' ? block : `0x${block.toString(16)}`;
}

/** Reads the number of the newest final block. */
export async function readFinalBlock(node: RpcNode, finality: Finality): Promise<number> {
  if (finality === 'finalized') {
    const block = await node.call<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
    return Number(block.number);
  }
  const latest = Number(await node.call<string>('eth_blockNumber', []));
  return Math.max(0, latest - finality + 1);
}
