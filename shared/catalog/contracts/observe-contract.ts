import { ChainUnreachable, type Connection, connect, readFromAnyNode } from '../../chain/connection.ts';
import { isTicketContract, readContractProperties } from '../../chain/contract-calls.ts';
import { recordObservation } from './store.ts';

const observationIntervalMilliseconds = 5 * 60_000;

/** When this execution environment last observed each contract, epoch milliseconds. */
const lastObservedAt = new Map<string, number>();

/**
 * Records the name and transfer rule of a contract, at most every five minutes. Both are only displayed, so the answer
 * of one node suffices.
 * @throws ChainUnreachable when no node answers
 */
export async function observePeriodically(connection: Connection, address: string): Promise<void> {
  const cacheKey = `${connection.chain.id} ${address}`;
  if (Date.now() - (lastObservedAt.get(cacheKey) ?? 0) < observationIntervalMilliseconds) return;
  await observe(connection, address);
  lastObservedAt.set(cacheKey, Date.now());
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
    await recordObservation({
      chainId,
      address,
      transfersAllowed: null,
      observedAt: new Date().toISOString(),
    });
  }
}

async function observe(connection: Connection, address: string): Promise<void> {
  if (!(await isTicketContract(connection, address))) return;
  const properties = await readFromAnyNode(connection, (node) => readContractProperties(node, address));
  if (!properties) return;
  const { id: chainId } = connection.chain;
  await recordObservation({ chainId, address, ...properties, observedAt: new Date().toISOString() });
}
