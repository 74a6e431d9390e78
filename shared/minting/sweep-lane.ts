import { broadcast, readMarketFees } from '../chain/broadcast.ts';
import { type Connection, readFirst } from '../chain/connection.ts';
import { findMinter } from '../chain/minter.ts';
import { write } from '../dynamo/write.ts';
import { log } from '../log.ts';
import { sendAll } from '../queue.ts';
import { closing } from './closing.ts';
import type { NonceReference } from './mint-transaction.ts';
import { bumpMilliseconds } from './patience.ts';
import { AlreadyDone, insertMintTransaction, listNonces, takeSweep } from './store.ts';

/** How many nonces are looked after at a time; the next sweep goes on from where these got the chain. */
const most = 100;

/**
 * Frees a lane in which a nonce waits for earlier ones: each from the first open one on is checked, which sends
 * it again, whatever became of its orders: a reorganisation also throws out what was done long ago. A nonce that
 * was never bound, because a node once named one too high, is used up.
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
  const bound = new Set(await listNonces({ chainId, signer }, openFrom, to));
  log.info('Lane swept', { chainId, signer, from: openFrom, to, bound: bound.size });
  const references = Array.from({ length: to - openFrom + 1 }, (_, at) => ({
    chainId,
    signer,
    nonce: openFrom + at,
  }));
  await Promise.all(
    references.filter(({ nonce }) => !bound.has(nonce)).map((reference) => fillGap(connection, reference)),
  );
  await sendAll('mint', references);
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
