import { optionalSetting } from '../../runtime/config.ts';
import { authorizationOf, type ContractStatus, contractStatusOf, isPlatformContract } from './contract.ts';
import { findContracts } from './store.ts';

/** A contract as an organizer uses it for an event. */
export interface ContractUse {
  chainId: number;
  /** Checksummed; null for an event without a contract. */
  contractAddress: string | null;
  organizerId: string;
}

/**
 * Returns for each use whether tickets can be minted. A contract is authorized when it is one of the platform's
 * (TICKET_CONTRACTS), when an ADMIN bound it to the organizer, or when the organizer's proved wallet administered it at
 * the last check. Makes no call to a node, so that lists of events can use it.
 */
export async function readContractStatuses(
  uses: readonly (ContractUse & { allowTransfers: boolean })[],
): Promise<ContractStatus[]> {
  const platformContracts = optionalSetting('TICKET_CONTRACTS') ?? '';
  const references = uses.flatMap(({ chainId, contractAddress: address, organizerId }) =>
    address === null ? [] : [{ chainId, address, organizerId }],
  );
  const contracts = await findContracts(references);
  return uses.map((use) => {
    const { chainId, contractAddress } = use;
    if (contractAddress === null) return 'none';
    const { binding, observed } = contracts.shift() ?? {};
    const isPlatform = isPlatformContract(platformContracts, chainId, contractAddress);
    return contractStatusOf(use, isPlatform ? 'authorized' : authorizationOf(binding), observed);
  });
}
