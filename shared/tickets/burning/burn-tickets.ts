import { ChainUnreachable, type Connection, connect, readFirst } from '../../chain/connection.ts';
import { burnCalldata, estimateGas, firstTokenId, orderKey } from '../../chain/contract-calls.ts';
import { type Minter, minterFor } from '../../chain/minter.ts';
import { broadcast, readMarketFees, readNonce } from '../../chain/transactions.ts';
import { transact, write } from '../../dynamo/write.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { scheduleCheck } from '../nonce/check.ts';
import { findNextNonce, insertMintTransaction, NonceTaken, takeNonce } from '../nonce/store.ts';
import { lastAttempt, type MintTransaction } from '../nonce/transaction.ts';
import type { Burn } from './store.ts';
import { BurnMoved, bindBurn, endBurn, findBurn } from './store.ts';

/**
 * Sends the burning of a refunded order's tickets on its way, in the lane that minted them. While the chain can't
 * be reached the burn stays due, and the sweep comes back to it.
 * @throws when the table or the queue fails
 */
export async function burnTickets(orderId: string): Promise<void> {
  const burn = await findBurn(orderId);
  if (burn?.status !== 'open' || burn.transaction) return;
  const connection = await connect(burn.chainId);
  if (!connection) return log.warn('Chain is not set up any more', { chainId: burn.chainId, orderId });
  try {
    const transaction = await claim(connection, burn);
    if (!transaction) return;
    const { signer, nonce } = transaction;
    log.info('Nonce claimed to burn tickets', { orderId, signer, nonce });
    await broadcast(connection, lastAttempt(transaction).raw);
    await scheduleCheck(connection.chain, transaction, 0);
  } catch (error) {
    // Another worker has it.
    if (error instanceof BurnMoved) return;
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', { chainId: burn.chainId, orderId, cause: error.message });
  }
}

/** @returns undefined when the contract refuses, which ends the burn @throws BurnMoved, ChainUnreachable */
async function claim(connection: Connection, burn: Burn): Promise<MintTransaction | undefined> {
  const { chainId, contract, holder, orderId } = burn;
  const key = orderKey(chainId, contract, orderId);
  const minter = await minterFor(key);
  const first = firstTokenId(key);
  const data = burnCalldata(
    holder,
    Array.from({ length: burn.quantity }, (_, at) => first + BigInt(at)),
  );
  const call = { from: minter.address, to: contract, data };
  const gas = await readFirst(connection, (node) => estimateGas(node, call));
  if (gas === undefined) {
    log.warn('The contract refuses to burn', { orderId, contract });
    count('BurnsFailed');
    await write(endBurn(burn, 'failed'));
    return undefined;
  }
  return bind(connection, minter, burn, { data, gasLimit: BigInt(Math.ceil(gas * 1.2)) });
}

/** Binds the lane's next nonce to the burn: stored together with what is signed for it, before it is sent. */
async function bind(
  connection: Connection,
  minter: Minter,
  burn: Burn,
  { data, gasLimit }: { data: string; gasLimit: bigint },
): Promise<MintTransaction> {
  const { chain } = connection;
  const { contract, orderId } = burn;
  const lane = { chainId: chain.id, signer: minter.address };
  const fees = await readFirst(connection, (node) => readMarketFees(node, chain.feeCeiling));
  for (let next = await findNextNonce(lane); ; ) {
    const nonce = next ?? (await readFirst(connection, (node) => readNonce(node, minter.address, 'latest')));
    const raw = minter.sign({ chainId: chain.id, nonce, to: contract, data, gasLimit, ...fees });
    const transaction = {
      ...lane,
      nonce,
      contract,
      orderIds: [],
      burnOf: orderId,
      attempts: [{ raw, at: Date.now() }],
    };
    try {
      await transact([
        takeNonce(transaction, next === undefined),
        insertMintTransaction(transaction),
        bindBurn(burn, { signer: lane.signer, nonce }),
      ]);
      return transaction;
    } catch (error) {
      if (!(error instanceof NonceTaken)) throw error;
      next = error.next;
    }
  }
}
