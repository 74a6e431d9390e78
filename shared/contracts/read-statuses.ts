import { optional } from '../runtime/config.ts';
import { type ContractStatus, isPlatformContract, statusOf } from './contract.ts';
import { findBindings } from './store.ts';

/** A contract as an organizer uses it for an event. */
export interface ContractUse {
  chainId: number;
  /** Checksummed; null for an event without a contract. */
  contractAddress: string | null;
  organizerId: string;
}

/**
 * Returns whether tickets may be minted, for each use. A contract is authorized when it is one of the platform's
 * (TICKET_CONTRACTS), when an ADMIN bound it to the organizer, or when the organizer's proved wallet administered it at
 * the last check. No node is asked, so that lists of events can show it.
 */
export async function readContractStatuses(uses: readonly ContractUse[]): Promise<ContractStatus[]> {
  const platform = optional('TICKET_CONTRACTS') ?? '';
  const places = uses.map(({ chainId, contractAddress: address, organizerId }) =>
    address === null || isPlatformContract(platform, chainId, address)
      ? undefined
      : { chainId, address, organizerId },
  );
  const bindings = await findBindings(places.filter((place) => place !== undefined));
  return uses.map(({ contractAddress }, at) => {
    if (contractAddress === null) return 'none';
    return places[at] ? statusOf(bindings.shift()) : 'authorized';
  });
}
