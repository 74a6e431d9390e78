import * as z from 'zod';

/**
 * Whether tickets of an event are minted: `none` has no contract, `authorized` and `unauthorized` say whether its
 * organizer may mint on the contract, `unchecked` that the chain did not answer. `mismatch` is authorized too, but the
 * contract allows transfers that the event does not, or the reverse.
 */
export const contractStatuses = ['none', 'authorized', 'unauthorized', 'unchecked', 'mismatch'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

/** Whether an organizer may mint on a contract. */
export type Authorization = Exclude<ContractStatus, 'mismatch'>;

/** A contract that an organizer may mint on: an ADMIN said so, or its administrator's wallet is the organizer's. */
export const contractBinding = z.object({
  chainId: z.int(),
  /** Checksummed. */
  address: z.string(),
  organizerId: z.string(),
  /** The ADMIN who bound it. */
  boundBy: z.string().optional(),
  /** A wallet that the organizer proved to own. The binding holds while the wallet administers the contract. */
  wallet: z.string().optional(),
  /** Whether that wallet administered the contract when last checked; null when the nodes gave no answer. */
  isAdmin: z.boolean().nullable().optional(),
  /** ISO 8601 in UTC. */
  updatedAt: z.string(),
});
export type ContractBinding = z.infer<typeof contractBinding>;

/** A ticket contract as the chain showed it last. */
export const observedContract = z.object({
  chainId: z.int(),
  /** Checksummed. */
  address: z.string(),
  /** Its own name; absent until a node has told it. */
  name: z.string().optional(),
  /** Whether holders may transfer tickets; null when the nodes gave no answer. */
  transfersAllowed: z.boolean().nullable(),
  /** ISO 8601 in UTC. */
  observedAt: z.string(),
});
export type ObservedContract = z.infer<typeof observedContract>;

/** Returns the status that a binding gives its organizer, as of the last check. */
export function statusOf(binding: ContractBinding | undefined): Authorization {
  if (binding?.boundBy !== undefined) return 'authorized';
  if (binding?.wallet === undefined) return 'unauthorized';
  if (binding.isAdmin == null) return 'unchecked';
  return binding.isAdmin ? 'authorized' : 'unauthorized';
}

/**
 * Returns the status that an event shows: what the contract was seen to allow matters once its organizer may mint there.
 * @param observed undefined for a contract that was not looked at yet
 */
export function statusFor(
  { allowTransfers }: { allowTransfers: boolean },
  authorization: Authorization,
  observed: ObservedContract | undefined,
): ContractStatus {
  if (authorization !== 'authorized' || !observed) return authorization;
  if (observed.transfersAllowed === null) return 'unchecked';
  return observed.transfersAllowed === allowTransfers ? 'authorized' : 'mismatch';
}

/** Reads TICKET_CONTRACTS: `137:0x…,8453:0x…`, the platform's own contracts by chain. */
export function isPlatformContract(configured: string, chainId: number, address: string): boolean {
  const wanted = `${chainId}:${address}`.toLowerCase();
  return configured.split(',').some((entry) => entry.trim().toLowerCase() === wanted);
}
