import { partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { write } from '../dynamo/write.ts';
import { insertEventJob } from '../event-jobs/store.ts';
import { toEvent } from '../events/event.ts';
import type { ContractBinding } from './contract.ts';

/**
 * Starts a job for each event of an organizer on a contract, which queues the orders that failed because the contract
 * was not authorized. Started before the contract is bound, so that a crash in between loses nothing: the job's last
 * pass comes minutes later.
 */
export async function startMintAgainJobs({
  chainId,
  address,
  organizerId,
}: Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>): Promise<void> {
  const startedAt = new Date().toISOString();
  const source = { index: 'byOwner', partition: partitions.organizerEvents(organizerId) } as const;
  for await (const item of queryAll(source)) {
    const { id: eventId, contractAddress, chainId: chain } = toEvent(item);
    if (contractAddress !== address || chain !== chainId) continue;
    await write(insertEventJob({ eventId, organizerId, kind: 'mint-again', startedAt }));
  }
}
