import { secret } from '../secrets.ts';
import { type Chain, chainOf } from './chains.ts';
import { Endpoint } from './endpoint.ts';

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
