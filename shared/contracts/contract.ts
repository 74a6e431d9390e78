import * as z from 'zod';

/**
 * Whether tickets of an event are minted: `none` has no contract, `authorized` and `unauthorized` say whether its
 * organizer may mint on the contract, `unchecked` that the chain did not answer.
 */
export const contractStatuses = ['none', 'authorized', 'unauthorized', 'unchecked'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

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
export function statusOf(binding: ContractBinding | undefined): ContractStatus {
  if (binding?.boundBy !== undefined) return 'authorized';
  if (binding?.wallet === undefined) return 'unauthorized';
  if (binding.isAdmin == null) return 'unchecked';
  return binding.isAdmin ? 'authorized' : 'unauthorized';
}

/** Reads TICKET_CONTRACTS: `137:0x…,8453:0x…`, the platform's own contracts by chain. */
export function isPlatformContract(configured: string, chainId: number, address: string): boolean {
  const wanted = `${chainId}:${address}`.toLowerCase();
  return configured.split(',').some((entry) => entry.trim().toLowerCase() === wanted);
}
