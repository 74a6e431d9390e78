import { ChainUnreachable, type Connection, connect, readFirst } from '../chain/connection.ts';
import { isTicketContract, readAppearance } from '../chain/contract-calls.ts';
import { recordObserved } from './store.ts';

const observeMilliseconds = 5 * 60_000;

/** When this execution environment last observed each contract, epoch milliseconds. */
const observedAt = new Map<string, number>();

/**
 * Records the name and transfer rule of a contract, at most every five minutes. They are only displayed, so the answer
 * of one node suffices.
 * @throws ChainUnreachable when no node answers
 */
export async function observePeriodically(connection: Connection, address: string): Promise<void> {
  const name = `${connection.chain.id} ${address}`;
  if (Date.now() - (observedAt.get(name) ?? 0) < observeMilliseconds) return;
  await observe(connection, address);
  observedAt.set(name, Date.now());
}

/**
 * Records the current name and transfer rule of a contract, or that no node answers. Ignores contracts without the code
 * of a known release.
 */
export async function observeContract(chainId: number, address: string): Promise<void> {
  const connection = await connect(chainId);
  if (!connection) return;
  try {
    await observe(connection, address);
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    await recordObserved({ chainId, address, transfersAllowed: null, observedAt: new Date().toISOString() });
  }
}

async function observe(connection: Connection, address: string): Promise<void> {
  if (!(await isTicketContract(connection, address))) return;
  const appearance = await readFirst(connection, (node) => readAppearance(node, address));
  if (!appearance) return;
  const { id: chainId } = connection.chain;
  await recordObserved({ chainId, address, ...appearance, observedAt: new Date().toISOString() });
}
