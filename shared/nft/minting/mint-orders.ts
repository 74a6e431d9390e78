import { observePeriodically } from '../../catalog/contracts/check-contract.ts';
import type { Chain } from '../../chain/chains.ts';
import {
  ChainUnreachable,
  type Connection,
  connect,
  findAgreedAnswer,
  readFinalBlock,
  readFromAllNodes,
  readFromAnyNode,
  readPositiveFromAnyNode,
} from '../../chain/connection.ts';
import {
  type CallRefusal,
  encodeMint,
  firstTokenId,
  isTicketContract,
  readMintedQuantity,
  simulateMint,
} from '../../chain/contract-calls.ts';
import { expectedMintGas, gasCeiling, gasLimit, readGasCap } from '../../chain/gas.ts';
import { findMintByOtherTransaction } from '../../chain/outcome.ts';
import {
  decodeTransaction,
  findMinter,
  getMinterForOrder,
  getMinters,
  type Minter,
} from '../../chain/transactions.ts';
import { expectUnchanged, transition } from '../../core/state-machine.ts';
import type { Write } from '../../dynamo/write.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import { type Order, seatNumbersOfIssue } from '../../orders/order.ts';
import { OrderTransitionRefused, transitionOrder } from '../../orders/store.ts';
import { incrementCounter, log, reportMinterBalance } from '../../runtime/telemetry.ts';
import { putTokenRanges } from '../../tickets/store.ts';
import { findBurns } from '../burning/store.ts';
import {
  claimAndBroadcast,
  type NonceCall,
  selfCheckPeriodMilliseconds,
  sweepMilliseconds,
} from '../nonce/check-nonce.ts';
import { firstAttempt, type MintTransaction } from '../nonce/store.ts';
import { failFulfilment, recordMint } from './finalize-mint.ts';
import { filterAuthorized, type MintRequest } from './mint-requests.ts';

/**
 * Mints orders of one contract in as few transactions as possible. While the chain can't be reached the orders stay
 * queued, and the sweep retries them.
 * @throws Error when the table, the queue or KMS fails, or no minting account is configured
 */
export async function mintOrders(requests: readonly MintRequest[]): Promise<void> {
  const [firstRequest] = requests;
  if (!firstRequest) return;
  const connection = await connect(firstRequest.chainId);
  if (!connection) {
    const message = `Chain ${firstRequest.chainId} is not set up for minting`;
    const reason = { code: 'chain-not-configured', message } as const;
    await Promise.all(requests.map(({ order }) => failFulfilment(order, reason)));
    return;
  }
  try {
    const minter = await minterOfRequest(firstRequest);
    const authorizedRequests = await filterAuthorized(requests);
    for (const batch of await preflight(connection, minter.address, authorizedRequests)) {
      await claimAndBroadcast(connection, minter, mintCall(batch, connection.chain));
    }
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', {
      chainId: firstRequest.chainId,
      orders: requests.length,
      cause: error.message,
    });
    if (requests.some(({ order }) => isOverdue(order.queuedAt, connection.chain)))
      incrementCounter('MintsStuck');
  }
}

/**
 * Returns the account that mints an order. A reissue is minted by the account that burned the tickets, and so is an order whose
 * tickets replace burned ones: its nonces are used in order, so the burn comes first even after a reorganisation. Of several
 * burns by different accounts, the others are final before.
 */
async function minterOfRequest({ order, orderKey }: MintRequest): Promise<Minter> {
  const [replaced] = await findBurns(order.mintAfter ?? []);
  const signer = order.issue?.signer ?? replaced?.transaction?.signer;
  const burner = signer === undefined ? undefined : await findMinter(signer);
  return burner ?? getMinterForOrder(orderKey);
}

/**
 * Builds the call that mints a batch. When another worker binds one of the orders first, the call is repeated without
 * that order.
 */
function mintCall({ requests, gasLimit }: Batch, chain: Chain): NonceCall {
  return {
    contract: requests[0]?.contract ?? '',
    data: encodeMint(requests.map(toContractOrder)),
    gasLimit,
    orderIds: requests.map(({ order }) => order.id),
    bind: (transaction) => requests.map(({ order }) => bindOrder(order, transaction, chain)),
    withoutAlreadyBound(error) {
      if (!(error instanceof OrderTransitionRefused)) throw error;
      const remainingRequests = requests.filter(({ order }) => order.id !== error.current.id);
      return remainingRequests.length > 0
        ? mintCall({ requests: remainingRequests, gasLimit }, chain)
        : undefined;
    },
  };
}

/**
 * Binds a queued order to a nonce.
 * @throws OrderTransitionRefused from the transaction, when the order is no longer queued, or when a seat was
 * transferred since the order was read
 */
function bindOrder(order: Order, transaction: MintTransaction, chain: Chain): Write {
  const { chainId, signer, nonce } = transaction;
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const bindTransition = transition(fulfilment, 'bind', {
    mint: { chainId, signer, nonce },
    mintTransactionHash: decodeTransaction(firstAttempt(transaction).raw).hash,
    mintingAt: timestamp,
  });
  // The sweep queues the order again when it is due. On a fast chain, the due time that the payment set is late enough,
  // and a new one would cost two more writes.
  const selfCheckPeriod = selfCheckPeriodMilliseconds(chain);
  const nextDueAt = selfCheckPeriod > sweepMilliseconds ? now + selfCheckPeriod : undefined;
  return transitionOrder(order.id, [bindTransition], timestamp, {
    nextDueAt,
    unchanged: expectUnchanged(order, 'transferred'),
  });
}

function isOverdue(queuedAt: string | undefined, chain: Chain): boolean {
  return (
    queuedAt !== undefined && Date.now() > Date.parse(queuedAt) + 10 * selfCheckPeriodMilliseconds(chain)
  );
}

const weiPerCoin = 1e18;

/**
 * Reports the balances from which the minters pay for gas. Errors of nodes are ignored: the next message follows in five
 * minutes.
 */
export async function reportBalances(chainId: number): Promise<void> {
  const connection = await connect(chainId);
  if (!connection) return;
  for (const { address } of await getMinters()) {
    const [balance] = await readFromAllNodes(connection, (node) =>
      node.call<string>('eth_getBalance', [address, 'latest']),
    );
    if (balance !== undefined) reportMinterBalance(chainId, address, Number(balance) / weiPerCoin);
  }
}

/** Orders to mint in one transaction. */
export interface Batch {
  requests: MintRequest[];
  gasLimit: bigint;
}

/**
 * Checks orders against their contract before they are bound to a nonce: a transaction that is not mined blocks
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
 * Records the mint of an order that the contract has minted already. A mint without events (see `FoundMint`) fails the
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
    return mint === null || mint === 'without-events' || mint.blockNumber <= finalBlock ? mint : null;
  });
  const mint = findAgreedAnswer(
    connection,
    finalMints.filter((finalMint) => finalMint !== null),
  );
  try {
    if (mint) await recordMint(order, { chainId, contract, to }, mint);
  } catch (error) {
    // A refund has begun meanwhile.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/**
 * Returns one batch when the contract accepts it. Otherwise checks each order alone, so one refused order does not
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
