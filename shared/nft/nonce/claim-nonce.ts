import { type Connection, readFromAnyNode } from '../../chain/connection.ts';
import type { Minter } from '../../chain/minters.ts';
import { broadcast, type Fees, readMarketFees, readNonce } from '../../chain/transactions.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { log } from '../../runtime/log.ts';
import { scheduleCheck } from './check-nonce.ts';
import {
  advanceNonce,
  findNextNonce,
  insertMintTransaction,
  lastAttempt,
  type MintTransaction,
  type NonceReference,
  NonceTaken,
} from './store.ts';

/** A contract call that needs a nonce. */
export interface NonceCall {
  contract: string;
  /** Calldata, hex. */
  data: string;
  gasLimit: bigint;
  /** The orders that the call mints. */
  orderIds: string[];
  /** The id of the burn that the call is for; see `burnId`. */
  burnOf?: string;
  /** Binds the orders or the burn to the nonce. */
  bind(transaction: MintTransaction): Write[];
  /**
   * Returns the call without the order or the burn that another worker bound first; undefined when nothing remains.
   * @throws the given error when it has another cause
   */
  withoutAlreadyBound(error: unknown): NonceCall | undefined;
}

/**
 * Sends a contract call with the account's next nonce: claims the nonce, stores the signed transaction, broadcasts it
 * and schedules the first check. Broadcast errors are ignored: the check broadcasts again.
 * @returns undefined when other workers bound everything first
 * @throws ChainUnreachable when the fees or an account's first nonce can't be read, or an error of KMS; nothing is
 * claimed then
 */
export async function claimAndBroadcast(
  connection: Connection,
  minter: Minter,
  call: NonceCall,
): Promise<MintTransaction | undefined> {
  const { chain } = connection;
  const transaction = await claim(connection, minter, call);
  if (!transaction) return undefined;
  const { signer, nonce, orderIds, burnOf } = transaction;
  log.info('Nonce claimed', { chainId: chain.id, signer, nonce, orders: orderIds.length, burnOf });
  await broadcast(connection, lastAttempt(transaction).raw);
  await scheduleCheck(chain, transaction, 0);
  return transaction;
}

/**
 * Claims the account's next nonce. One DynamoDB transaction advances it, stores the
 * signed transaction and binds the orders or the burn permanently. After a crash the stored transaction is broadcast. A
 * signed transaction whose claim fails is discarded.
 */
async function claim(
  connection: Connection,
  minter: Minter,
  requestedCall: NonceCall,
): Promise<MintTransaction | undefined> {
  const { chain } = connection;
  const account = { chainId: chain.id, signer: minter.address };
  const fees = await readFromAnyNode(connection, (node) => readMarketFees(node, chain.feeCeiling));
  let call: NonceCall | undefined = requestedCall;
  let nextNonce = await findNextNonce(account);
  while (call) {
    const nonce =
      nextNonce ?? (await readFromAnyNode(connection, (node) => readNonce(node, minter.address, 'latest')));
    const transaction = await sign(minter, { ...account, nonce }, call, fees);
    try {
      await transact([
        advanceNonce(transaction, nextNonce === undefined),
        insertMintTransaction(transaction),
        ...call.bind(transaction),
      ]);
      return transaction;
    } catch (error) {
      if (error instanceof NonceTaken) nextNonce = error.nextNonce;
      else call = call.withoutAlreadyBound(error);
    }
  }
  return undefined;
}

async function sign(
  minter: Minter,
  reference: NonceReference,
  call: NonceCall,
  fees: Fees,
): Promise<MintTransaction> {
  const { chainId, nonce } = reference;
  const { contract, data, gasLimit, orderIds, burnOf } = call;
  const raw = await minter.sign({ chainId, nonce, to: contract, data, gasLimit, ...fees });
  return {
    ...reference,
    contract,
    orderIds,
    ...(burnOf !== undefined && { burnOf }),
    attempts: [{ raw, at: Date.now() }],
  };
}
