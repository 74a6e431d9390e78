import { secret } from '../runtime/secrets.ts';
import { type Chain, chainOf } from './chains.ts';

/** A chain and the nodes through which we see it. */
export interface Connection {
  chain: Chain;
  endpoints: readonly Endpoint[];
}

/** No node answered. Nothing is known, so nothing may follow from it but waiting. */
export class ChainUnreachable extends Error {}

/** @returns undefined when no endpoint of the chain is configured */
export async function connect(chainId: number): Promise<Connection | undefined> {
  const configured = (await secret(`CHAIN_${chainId}_RPC_URLS`)) ?? '';
  const urls = configured
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean);
  if (urls.length === 0) return undefined;
  return { chain: chainOf(chainId), endpoints: urls.map((url) => new Endpoint(url)) };
}

/** What the first node says that answers; for what is checked again later, or harmless when wrong. */
export async function readFirst<Result>(
  { chain, endpoints }: Connection,
  read: (endpoint: Endpoint) => Promise<Result>,
): Promise<Result> {
  let cause: unknown;
  for (const endpoint of endpoints) {
    try {
      return await read(endpoint);
    } catch (error) {
      cause = error;
    }
  }
  throw new ChainUnreachable(`No endpoint of ${chain.name} answers`, { cause });
}

/** What each node says that answers. */
export async function readAll<Result>(
  { endpoints }: Connection,
  read: (endpoint: Endpoint) => Promise<Result>,
): Promise<Result[]> {
  const answers = await Promise.allSettled(endpoints.map(read));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/**
 * The one answer that may be acted upon for good: what two nodes say alike, or the only one that is configured.
 * @returns undefined when there is none (yet)
 */
export function agreed<Answer>({ endpoints }: Connection, answers: readonly Answer[]): Answer | undefined {
  const needed = Math.min(2, endpoints.length);
  const texts = answers.map((answer) => JSON.stringify(answer));
  return answers.find((_, at) => texts.filter((text) => text === texts[at]).length >= needed);
}

const timeoutMilliseconds = 4_000;

/** The node answered, with an error. */
export class RpcError extends Error {
  readonly code: number;
  /** What a contract said when it reverted, hex. */
  readonly data: string | undefined;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = typeof data === 'string' ? data.match(/0x[0-9a-f]*/i)?.[0] : undefined;
  }

  /** Whether it is the contract's refusal and not the node's trouble. */
  get isRevert(): boolean {
    return this.code === 3 || this.data !== undefined || /revert/i.test(this.message);
  }
}

/**
 * One node that speaks JSON-RPC. Plain requests rather than a provider of ethers: that one asks more than it is
 * told to (its broadcast fails when the block number can't be read), keeps answers, and waits five minutes.
 */
export class Endpoint {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws RpcError when the node refuses, another Error when it does not answer within four seconds */
  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const answer = (await response.json()) as { result?: Result; error?: { code: number; message: string } };
    if (answer.error) throw new RpcError(answer.error);
    if (answer.result === undefined) throw new Error(`No result for ${method}, status ${response.status}`);
    return answer.result;
  }
}

/** The newest block that stays. */
export async function finalBlock(endpoint: Endpoint, { finality }: Chain): Promise<number> {
  if (finality === 'finalized') {
    const block = await endpoint.call<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
    return Number(block.number);
  }
  const latest = Number(await endpoint.call<string>('eth_blockNumber', []));
  return Math.max(0, latest - finality + 1);
}
