import * as z from 'zod';

/**
 * Whether the tickets of an event can be minted. `none`: the event has no contract. `authorized`, `unauthorized`:
 * whether the organizer may mint on the contract. `unchecked`: the chain did not answer. `mismatch`: authorized, but
 * contract and event differ on whether tickets are transferable.
 */
export const contractStatuses = ['none', 'authorized', 'unauthorized', 'unchecked', 'mismatch'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

/** Whether an organizer may mint on a contract; `none` without a contract. */
export type Authorization = Exclude<ContractStatus, 'mismatch'>;

/** A contract that was bound to an organizer, by an ADMIN or by the organizer's wallet. */
export const contractBinding = z.object({
  chainId: z.int(),
  /** Checksummed. */
  address: z.string(),
  organizerId: z.string(),
  /** The id of the ADMIN who bound the contract. */
  boundBy: z.string().optional(),
  /** A wallet that the organizer has proved to own. The binding is valid while the wallet administers the contract. */
  wallet: z.string().optional(),
  /** Whether that wallet administered the contract when last checked; null when the nodes gave no answer. */
  isAdmin: z.boolean().nullable().optional(),
  /** ISO 8601 in UTC. */
  updatedAt: z.string(),
});
export type ContractBinding = z.infer<typeof contractBinding>;

/** The properties of a ticket contract, as last read from the chain. */
export const observedContract = z.object({
  chainId: z.int(),
  /** Checksummed. */
  address: z.string(),
  /** The name of the contract; absent until a node has returned it. */
  name: z.string().optional(),
  /** Whether holders may transfer tickets; null when the nodes gave no answer. */
  transfersAllowed: z.boolean().nullable(),
  /** ISO 8601 in UTC. */
  observedAt: z.string(),
});
export type ObservedContract = z.infer<typeof observedContract>;

/** Returns the status of a binding as of the last check. */
export function authorizationOf(binding: ContractBinding | undefined): Authorization {
  if (binding?.boundBy !== undefined) return 'authorized';
  if (binding?.wallet === undefined) return 'unauthorized';
  if (binding.isAdmin == null) return 'unchecked';
  return binding.isAdmin ? 'authorized' : 'unauthorized';
}

/**
 * Returns the status of an event's contract. The observed transfer rule matters only for an authorized organizer.
 * @param observed undefined for a contract without an observation
 */
export function contractStatusOf(
  { allowTransfers }: { allowTransfers: boolean },
  authorization: Authorization,
  observed: ObservedContract | undefined,
): ContractStatus {
  if (authorization !== 'authorized' || !observed) return authorization;
  if (observed.transfersAllowed === null) return 'unchecked';
  return observed.transfersAllowed === allowTransfers ? 'authorized' : 'mismatch';
}

/**
 * Returns whether a contract is one of the platform's own.
 * @param platformContracts the setting TICKET_CONTRACTS: `137:0x…,8453:0x…`
 */
export function isPlatformContract(platformContracts: string, chainId: number, address: string): boolean {
  const contractKey = `${chainId}:${address}`.toLowerCase();
  return platformContracts.split(',').some((entry) => entry.trim().toLowerCase() === contractKey);
}
