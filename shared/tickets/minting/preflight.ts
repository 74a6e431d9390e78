import type { Endpoint } from '../../chain/connection.ts';
import {
  agreed,
  ChainUnreachable,
  type Connection,
  finalBlock,
  readAll,
  readFirst,
} from '../../chain/connection.ts';
import { isTicketContract, mintedQuantity, tryMint } from '../../chain/contract-calls.ts';
import { mintElsewhere } from '../../chain/outcome.ts';
import { failFulfilment, recordMint } from './conclude-mint.ts';
import type { MintRequest } from './requests.ts';

/** Orders to mint in one transaction, and its estimated gas. */
export interface Batch {
  requests: MintRequest[];
  gas: number;
}

/**
 * Checks orders against their contract before they take a nonce. Orders that it has minted already, for example
 * before the table was restored, are recorded; those that it refuses fail with its reason.
 * @param from the account that mints
 * @param requests all of one contract
 * @returns the other orders, in batches that the contract accepts
 * @throws ChainUnreachable when the nodes do not answer or disagree
 */
export async function preflight(
  connection: Connection,
  from: string,
  requests: readonly MintRequest[],
): Promise<Batch[]> {
  const [contract, chainId] = [requests[0]?.contract ?? '', connection.chain.id];
  if (!(await isOurs(connection, contract))) {
    const reason = `${contract} on ${connection.chain.name} is not a ticket contract of ours`;
    await Promise.all(requests.map(({ order }) => failFulfilment(order, reason)));
    return [];
  }
  const unminted: MintRequest[] = [];
  await Promise.all(
    requests.map(async (request) => {
      const quantity = await readFirst(connection, (node) =>
        mintedQuantity(node, contract, request.orderKey),
      );
      if (quantity === 0) unminted.push(request);
      else await recordExisting(connection, request, chainId);
    }),
  );
  return unminted.length > 0 ? toBatches(connection, from, contract, unminted) : [];
}

/** Contracts found to be ours. That is part of their code and does not change. */
const ours = new Set<string>();

async function isOurs(connection: Connection, contract: string): Promise<boolean> {
  const name = `${connection.chain.id} ${contract}`;
  if (ours.has(name)) return true;
  const answer = await ask(
    connection,
    (node) => isTicketContract(node, contract),
    (is) => is,
  );
  if (answer) ours.add(name);
  return answer;
}

/** Records a mint that exists already. Until the nodes agree on where it is, the order waits for the next sweep. */
async function recordExisting(connection: Connection, request: MintRequest, chainId: number): Promise<void> {
  const { contract, orderKey, order } = request;
  const found = await readAll(connection, async (node) => {
    const mint = await mintElsewhere(node, contract, orderKey, Date.parse(order.createdAt));
    return mint && mint.blockNumber <= (await finalBlock(node, connection.chain)) ? mint : null;
  });
  const mint = agreed(
    connection,
    found.filter((one) => one !== null),
  );
  if (mint) await recordMint(order, { chainId, contract }, mint);
}

/** One batch when the contract accepts it; otherwise each order alone, so that one can't hold up the rest. */
async function toBatches(
  connection: Connection,
  from: string,
  contract: string,
  requests: MintRequest[],
): Promise<Batch[]> {
  const tryThese = (some: MintRequest[]) =>
    ask(
      connection,
      (node) => tryMint(node, from, contract, some.map(toContractOrder)),
      (result) => 'gas' in result,
    );
  const together = await tryThese(requests);
  if ('gas' in together) return [{ requests, gas: together.gas }];
  const single = await Promise.all(
    requests.map(async (request) => {
      const alone = requests.length === 1 ? together : await tryThese([request]);
      if ('gas' in alone) return [{ requests: [request], gas: alone.gas }];
      await failFulfilment(request.order, alone.refusal);
      return [];
    }),
  );
  return single.flat();
}

/**
 * Returns a good answer from any node: if it is wrong, acting on it is harmless, since the contract mints no order
 * twice. A bad answer counts only when two nodes agree, where two are configured.
 * @throws ChainUnreachable when no node answers, or they disagree
 */
async function ask<Answer>(
  connection: Connection,
  read: (node: Endpoint) => Promise<Answer>,
  isGood: (answer: Answer) => boolean,
): Promise<Answer> {
  const first = await readFirst(connection, read);
  if (isGood(first)) return first;
  const answers = await readAll(connection, read);
  const answer = answers.find(isGood) ?? agreed(connection, answers);
  if (answer === undefined) throw new ChainUnreachable(`The endpoints of ${connection.chain.name} disagree`);
  return answer;
}

export function toContractOrder({ orderKey, to, order }: MintRequest) {
  return { orderKey, to, quantity: order.quantity };
}
