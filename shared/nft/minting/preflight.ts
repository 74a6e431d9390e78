import { observePeriodically } from '../../catalog/contracts/observe-contract.ts';
import {
  type Connection,
  findAgreedAnswer,
  readFinalBlock,
  readFromAllNodes,
  readFromAnyNode,
  readPositiveFromAnyNode,
} from '../../chain/connection.ts';
import {
  type CallRefusal,
  firstTokenId,
  isTicketContract,
  readMintedQuantity,
  simulateMint,
} from '../../chain/contract-calls.ts';
import { expectedMintGas, gasCeiling, gasLimit, readGasCap } from '../../chain/gas.ts';
import { findMintByOtherTransaction } from '../../chain/outcome.ts';
import { seatNumbersOfIssue } from '../../orders/order.ts';
import { putTokenRanges } from '../../tickets/metadata/store.ts';
import { failFulfilment, recordMint } from './conclude-mint.ts';
import type { MintRequest } from './mint-requests.ts';

/** Orders to mint in one transaction. */
export interface Batch {
  requests: MintRequest[];
  gasLimit: bigint;
}

/**
 * Checks orders against their contract before they are bound to a nonce, since a transaction that is not mined blocks
 * all later transactions of its account. Orders that the contract has minted already, for example before the table was
 * restored, are recorded. Orders that it refuses, or that need too much gas, fail with the reason. Also stores the
 * token ranges, from which metadata is read.
 * @param minterAddress the account that mints
 * @param requests mint requests for one contract
 * @returns the remaining orders, in batches that the contract accepts
 * @throws ChainUnreachable when the nodes do not answer or disagree
 */
export async function preflight(
  connection: Connection,
  minterAddress: string,
  requests: readonly MintRequest[],
): Promise<Batch[]> {
  const contract = requests[0]?.contract;
  if (contract === undefined) return [];
  if (!(await isTicketContract(connection, contract))) {
    const message = `${contract} on ${connection.chain.name} does not have the code of the ticket contract`;
    const reason = { code: 'contract-unknown', message } as const;
    await Promise.all(requests.map(({ order }) => failFulfilment(order, reason)));
    return [];
  }
  await Promise.all([putTokenRanges(requests.map(toTokenRange)), observePeriodically(connection, contract)]);
  const unmintedRequests: MintRequest[] = [];
  await Promise.all(
    requests.map(async (request) => {
      const quantity = await readFromAnyNode(connection, (node) =>
        readMintedQuantity(node, contract, request.orderKey),
      );
      if (quantity === 0) unmintedRequests.push(request);
      else await recordExisting(connection, request);
    }),
  );
  return unmintedRequests.length > 0 ? toBatches(connection, minterAddress, contract, unmintedRequests) : [];
}

/**
 * Records the mint of an order that the contract has minted already. An `unlogged` mint (see `FoundMint`) fails the
 * order. Until the nodes agree on a final mint, the order stays queued.
 */
async function recordExisting(connection: Connection, request: MintRequest): Promise<void> {
  const { contract, orderKey, order, chainId, to } = request;
  const finalMints = await readFromAllNodes(connection, async (node) => {
    const finalBlock = await readFinalBlock(node, connection.chain.finality);
    const mint = await findMintByOtherTransaction(
      node,
      contract,
      orderKey,
      Date.parse(order.createdAt),
      finalBlock,
    );
    return mint === null || mint === 'unlogged' || mint.blockNumber <= finalBlock ? mint : null;
  });
  const mint = findAgreedAnswer(
    connection,
    finalMints.filter((finalMint) => finalMint !== null),
  );
  if (mint) await recordMint(order, { chainId, contract, to }, mint);
}

/**
 * Returns one batch when the contract accepts it. Otherwise checks each order alone, so that one refused order does not
 * delay the others.
 */
async function toBatches(
  connection: Connection,
  minterAddress: string,
  contract: string,
  requests: MintRequest[],
): Promise<Batch[]> {
  const gasCap = await readFromAnyNode(connection, readGasCap);
  const simulateBatch = async (batch: MintRequest[]): Promise<Batch | { refusal: CallRefusal }> => {
    const tickets = batch.reduce((sum, { quantity }) => sum + quantity, 0);
    const expectedGas = expectedMintGas(batch.length, tickets);
    const ceiling = gasCeiling(expectedGas, gasCap, connection.chain);
    const result = await readPositiveFromAnyNode(
      connection,
      (node) => simulateMint(node, minterAddress, contract, batch.map(toContractOrder), ceiling),
      (result) => 'gas' in result,
    );
    return 'gas' in result
      ? { requests: batch, gasLimit: gasLimit(result.gas, expectedGas, gasCap) }
      : result;
  };
  const commonResult = await simulateBatch(requests);
  if (!('refusal' in commonResult)) return [commonResult];
  const acceptedAlone = await Promise.all(
    requests.map(async (request) => {
      const result = requests.length === 1 ? commonResult : await simulateBatch([request]);
      if (!('refusal' in result)) return [result];
      await failFulfilment(request.order, result.refusal);
      return [];
    }),
  );
  return acceptedAlone.flat();
}

export function toContractOrder({ orderKey, to, quantity }: MintRequest) {
  return { orderKey, to, quantity };
}

function toTokenRange({ chainId, contract, orderKey, order }: MintRequest) {
  const { id: orderId, eventId, userId, issue } = order;
  const seats = seatNumbersOfIssue(order);
  return {
    chainId,
    contract,
    orderId,
    eventId,
    userId,
    firstTokenId: firstTokenId(orderKey),
    quantity: seats.length,
    ...(issue && { issue: issue.number }),
    ...(issue?.seats && { seats }),
  };
}
