import { broadcast, readMarketFees } from '../chain/broadcast.ts';
import { type Connection, readFirst } from '../chain/connection.ts';
import { findMinter } from '../chain/minter.ts';
import { write } from '../dynamo/write.ts';
import { log } from '../log.ts';
import { send } from '../queue.ts';
import { closing } from './closing.ts';
import { lastAttempt, type NonceReference } from './mint-transaction.ts';
import { bumpMilliseconds } from './patience.ts';
import { AlreadyDone, insertMintTransaction, listMintTransactions, takeSweep } from './store.ts';

/** How many nonces are sent again at a time; the next sweep goes on from where these got the chain. */
const most = 100;
const parallel = 20;

/**
 * Frees a lane in which a nonce waits for earlier ones: everything from the first open nonce on is sent again as
 * it was stored, whatever became of its orders, since a reorganisation also throws out what was done long ago.
 * A nonce that was never bound, because a node once named one too high, is used up.
 * @param openFrom the first nonce the chain has not seen, by the lowest count a node gave
 */
export async function sweepLane(
  connection: Connection,
  { chainId, signer }: NonceReference,
  openFrom: number,
): Promise<void> {
  const next = await takeSweep({ chainId, signer }, Date.now() - bumpMilliseconds());
  if (next === undefined) return;
  const to = Math.min(next - 1, openFrom + most - 1);
  const bound = new Map(
    (await listMintTransactions({ chainId, signer }, openFrom, to)).map((one) => [one.nonce, one]),
  );
  log.info('Lane swept', { chainId, signer, from: openFrom, to, known: bound.size });
  const nonces = Array.from({ length: to - openFrom + 1 }, (_, at) => openFrom + at);
  for (let start = 0; start < nonces.length; start += parallel) {
    await Promise.all(
      nonces.slice(start, start + parallel).map((nonce) => {
        const known = bound.get(nonce);
        return known
          ? broadcast(connection, lastAttempt(known).raw)
          : fillGap(connection, { chainId, signer, nonce });
      }),
    );
  }
  // The first one may need a higher fee, or not be wanted any more: that is for its own check.
  await send('mint', { chainId, signer, nonce: openFrom });
}

async function fillGap(connection: Connection, reference: NonceReference): Promise<void> {
  const minter = await findMinter(reference.signer);
  if (!minter) return;
  const fees = await readFirst(connection, (node) => readMarketFees(node, connection.chain.feeCeiling));
  const raw = minter.sign(closing(reference, fees));
  try {
    const attempts = [{ raw, at: Date.now() }];
    await write(insertMintTransaction({ ...reference, contract: minter.address, orderIds: [], attempts }));
    await broadcast(connection, raw);
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error;
  }
}
