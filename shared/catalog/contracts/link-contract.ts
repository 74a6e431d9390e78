import type { AuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { getUser } from '../../accounts/users/store.ts';
import { partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/read.ts';
import { transact, type Write, write } from '../../dynamo/write.ts';
import { insertEventJob } from '../event-jobs/store.ts';
import { toEvent } from '../events/event.ts';
import type { ContractBinding } from './contract.ts';
import { putBinding, removeBinding } from './store.ts';

type BindingReference = Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>;

/**
 * Links a contract to an organizer on behalf of an ADMIN, and retries the mints that failed without the link.
 * @throws DomainError 404 for an unknown user
 */
export async function linkContract(reference: BindingReference, adminId: string): Promise<ContractBinding> {
  await getUser(reference.organizerId);
  const binding = { ...reference, boundBy: adminId, updatedAt: new Date().toISOString() };
  // The jobs start before the binding, so that a crash in between loses none. Their last pass runs minutes later.
  await startMintAgainJobs(binding);
  await transact([putBinding(binding), insertBindingAudit(binding, { type: 'admin', userId: adminId })]);
  return binding;
}

/** Revokes an organizer's permission to mint on a contract. @throws DomainError 404 without such a permission */
export async function unlinkContract(reference: BindingReference, adminId: string): Promise<void> {
  const { chainId, address, organizerId } = reference;
  await transact([
    removeBinding(reference),
    insertAuditEntry({
      action: 'contract-released',
      by: { type: 'admin', userId: adminId },
      details: { chainId: String(chainId), address, organizerId },
    }),
  ]);
}

/** Returns the write that records a bound contract in the audit trail. */
export function insertBindingAudit(
  { chainId, address, organizerId, wallet }: ContractBinding,
  actor: AuditActor,
): Write {
  const details = { chainId: String(chainId), address, organizerId, ...(wallet && { wallet }) };
  return insertAuditEntry({ action: 'contract-bound', by: actor, details });
}

/**
 * Starts a job for each of an organizer's events that use a contract. The job queues the orders that failed because the
 * contract was not authorized. The caller starts the jobs before it binds the contract, so that a crash in between
 * loses nothing. The last pass of a job runs minutes later, after the binding.
 */
export async function startMintAgainJobs({ chainId, address, organizerId }: BindingReference): Promise<void> {
  const startedAt = new Date().toISOString();
  const source = { index: 'byOwner', partition: partitions.organizerEvents(organizerId) } as const;
  for await (const item of queryAll(source)) {
    const { id: eventId, contractAddress, chainId: eventChainId } = toEvent(item);
    if (contractAddress !== address || eventChainId !== chainId) continue;
    await write(insertEventJob({ eventId, organizerId, kind: 'mint-again', startedAt }));
  }
}
