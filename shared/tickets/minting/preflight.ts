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
import { failFulfilment, recordMint } from './record-mint.ts';
import type { MintRequest } from './requests.ts';

/** Orders that go out in one transaction, and the gas it takes by the chain's own reckoning. */
export interface Batch {
  requests: MintRequest[];
  gas: number;
}

/**
 * Asks the contract before a nonce is spent. Orders it knows already (the table was restored, say) are written
 * down and not minted, those it refuses fail with its reason, and the rest is ready.
 * @param requests all of one contract
 * @param from the account that is to mint
 * @throws ChainUnreachable when nothing certain is to be learned now
 */
export async function screen(
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
      else await recordKnown(connection, request, chainId);
    }),
  );
  return unminted.length > 0 ? tryOut(connection, from, contract, unminted) : [];
}

/** Contracts that said so once; they can't take it back. */
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

/** An order the contract has minted already; until the nodes agree on where, it waits for the next sweep. */
async function recordKnown(connection: Connection, request: MintRequest, chainId: number): Promise<void> {
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

/** All together if the contract takes them so; otherwise each by itself, so that one can't hold up the rest. */
async function tryOut(
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
 * What a node says when it is good news: acting on it is harmless even if it is wrong, since the contract mints
 * no order twice. Bad news counts only when two nodes agree.
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
