import { agreed, connect, readAll } from '../chain/connection.ts';
import { isContractAdmin } from '../chain/contract-calls.ts';
import { optional } from '../runtime/config.ts';
import { type ContractStatus, isPlatformContract } from './contract.ts';
import { findBinding } from './store.ts';

interface Use {
  chainId: number;
  /** Checksummed; null for an event without a contract. */
  contractAddress: string | null;
  organizerId: string;
}

/**
 * Returns whether an organizer's tickets may be minted on a contract: it is one of the platform's (TICKET_CONTRACTS), an
 * ADMIN bound it to the organizer, or the organizer's proved wallet administers it now, as two nodes agree.
 */
export async function authorizationOf({
  chainId,
  contractAddress,
  organizerId,
}: Use): Promise<ContractStatus> {
  if (contractAddress === null) return 'none';
  if (isPlatformContract(optional('TICKET_CONTRACTS') ?? '', chainId, contractAddress)) return 'authorized';
  const binding = await findBinding({ chainId, address: contractAddress, organizerId });
  if (binding?.boundBy) return 'authorized';
  if (!binding?.wallet) return 'unauthorized';
  const isAdmin = await administers(chainId, contractAddress, binding.wallet);
  if (isAdmin === undefined) return 'unchecked';
  return isAdmin ? 'authorized' : 'unauthorized';
}

/** Returns whether a wallet has a contract's admin role; undefined when the nodes do not answer, or disagree. */
export async function administers(
  chainId: number,
  address: string,
  wallet: string,
): Promise<boolean | undefined> {
  const connection = await connect(chainId);
  if (!connection) return undefined;
  return agreed(connection, await readAll(connection, (node) => isContractAdmin(node, address, wallet)));
}
