import { type Connection, readFirst } from '../../chain/connection.ts';
import { mintCalldata } from '../../chain/contract-calls.ts';
import { type Minter, readSigned } from '../../chain/minter.ts';
import type { Fees } from '../../chain/transactions.ts';
import { readNonce } from '../../chain/transactions.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { moveOrder, OrderMoved } from '../../orders/store.ts';
import { type Batch, toContractOrder } from '../minting/preflight.ts';
import type { MintRequest } from '../minting/requests.ts';
import { findNextNonce, insertMintTransaction, NonceTaken, takeNonce } from './store.ts';
import { ownMilliseconds, sweepMilliseconds } from './timing.ts';
import { firstAttempt, type MintTransaction } from './transaction.ts';

/**
 * Binds the lane's next nonce to the orders, for ever. One transaction takes the nonce, stores what is signed
 * for it, and marks the orders: whatever dies afterwards, the very same transaction is found and sent again; and
 * what was signed for a claim that failed was never sent anywhere. Orders another worker took are left out.
 * @returns undefined when none is left
 * @throws ChainUnreachable when an account's first nonce can't be read
 */
export async function claim(
  connection: Connection,
  minter: Minter,
  batch: Batch,
  fees: Fees,
): Promise<MintTransaction | undefined> {
  const lane = { chainId: connection.chain.id, signer: minter.address };
  let { requests } = batch;
  let next = await findNextNonce(lane);
  while (requests.length > 0) {
    const nonce = next ?? (await readFirst(connection, (node) => readNonce(node, minter.address, 'latest')));
    const transaction = sign(minter, { ...lane, nonce }, { ...batch, requests }, fees);
    try {
      const bound = requests.map((request) => bind(request, transaction, connection));
      await transact([
        takeNonce(transaction, next === undefined),
        insertMintTransaction(transaction),
        ...bound,
      ]);
      return transaction;
    } catch (error) {
      if (error instanceof NonceTaken) next = error.next;
      else if (error instanceof OrderMoved) {
        requests = requests.filter(({ order }) => order.id !== error.current.id);
      } else throw error;
    }
  }
  return undefined;
}

function sign(
  minter: Minter,
  reference: { chainId: number; signer: string; nonce: number },
  { requests, gas }: Batch,
  fees: Fees,
): MintTransaction {
  const contract = requests[0]?.contract ?? '';
  const raw = minter.sign({
    chainId: reference.chainId,
    nonce: reference.nonce,
    to: contract,
    data: mintCalldata(requests.map(toContractOrder)),
    gasLimit: gasLimit(requests, gas),
    ...fees,
  });
  const orderIds = requests.map(({ order }) => order.id);
  return { ...reference, contract, orderIds, attempts: [{ raw, at: Date.now() }] };
}

/** A fifth above the estimate, and never below what minting costs, whatever the estimate was made on. */
function gasLimit(requests: readonly MintRequest[], estimate: number): bigint {
  const tickets = requests.reduce((sum, { order }) => sum + order.quantity, 0);
  return BigInt(Math.max(Math.ceil(estimate * 1.2), 50_000 + 55_000 * requests.length + 2_500 * tickets));
}

function bind({ order }: MintRequest, transaction: MintTransaction, { chain }: Connection): Write {
  const { chainId, signer, nonce } = transaction;
  const now = Date.now();
  const at = new Date(now).toISOString();
  const change = {
    mint: { chainId, signer, nonce },
    mintTransactionHash: readSigned(firstAttempt(transaction).raw).hash,
    fulfilmentStatus: 'minting',
    mintingAt: at,
    updatedAt: at,
  };
  // On a quick chain the mark from the payment is good enough, and moving it would cost two writes.
  const own = ownMilliseconds(chain);
  const due = own > sweepMilliseconds ? now + own : undefined;
  return moveOrder(order.id, ['COMPLETED'], change, due, {
    when: '#fulfilmentStatus = :queued AND #holdsSeat = :true AND attribute_not_exists(#mint)',
    values: { queued: 'queued', true: true },
  });
}
