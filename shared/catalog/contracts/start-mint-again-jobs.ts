import { partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/read.ts';
import { write } from '../../dynamo/write.ts';
import { insertEventJob } from '../event-jobs/store.ts';
import { toEvent } from '../events/event.ts';
import type { ContractBinding } from './contract.ts';

/**
 * Starts a job for each of an organizer's events that use a contract. The job queues the orders that failed because the
 * contract was not authorized. The caller starts the jobs before it binds the contract, so that a crash in between
 * loses nothing. The last pass of a job runs minutes later, after the binding.
 */
export async function startMintAgainJobs({
  chainId,
  address,
  organizerId,
}: Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>): Promise<void> {
  const startedAt = new Date().toISOString();
  const source = { index: 'byOwner', partition: partitions.organizerEvents(organizerId) } as const;
  for await (const item of queryAll(source)) {
    const { id: eventId, contractAddress, chainId: eventChainId } = toEvent(item);
    if (contractAddress !== address || eventChainId !== chainId) continue;
    await write(insertEventJob({ eventId, organizerId, kind: 'mint-again', startedAt }));
  }
}
