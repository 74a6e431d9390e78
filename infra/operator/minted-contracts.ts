import { assignContract } from '../../shared/catalog/contracts/assign-contract.ts';
import { isPlatformContract } from '../../shared/catalog/contracts/contract.ts';
import { optionalSetting } from '../../shared/runtime/config.ts';
import { type RawItem, scanTable } from './scan-table.ts';

interface ContractAddress {
  chainId: number;
  address: string;
}

/**
 * Binds each contract to the only organizer who has minted on it, for stages that minted before contracts had to be
 * authorized. Contracts of TICKET_CONTRACTS need no binding.
 * @param adminId the ADMIN who is recorded in the bindings
 * @returns the contracts bound, and those that several organizers minted on
 */
export async function bindMintedContracts(adminId: string) {
  const items = await scanTable();
  const events = new Map(items.filter(({ sk }) => sk === 'EVENT').map((event) => [event.id, event]));
  const usages = new Map<string, ContractAddress & { organizers: Set<string> }>();
  for (const order of items.filter(isMinted)) {
    const { contractAddress: address, chainId, organizerId } = events.get(order.eventId) ?? {};
    if (!address || isPlatformContract(optionalSetting('TICKET_CONTRACTS') ?? '', chainId, address)) continue;
    const key = `${chainId} ${address}`;
    const usage = usages.get(key) ?? { chainId, address, organizers: new Set() };
    usages.set(key, { ...usage, organizers: usage.organizers.add(organizerId) });
  }
  const contracts = [...usages.values()].map(({ organizers, ...contract }) => ({
    ...contract,
    organizers: [...organizers],
  }));
  const bound = contracts.flatMap(({ organizers: [organizerId, another], chainId, address }) =>
    organizerId !== undefined && another === undefined ? [{ chainId, address, organizerId }] : [],
  );
  for (const binding of bound) await assignContract(binding, adminId);
  return { bound, shared: contracts.filter(({ organizers }) => organizers.length > 1) };
}

function isMinted({ sk, fulfilmentStatus, blockchainTxHash }: RawItem): boolean {
  return sk === 'ORDER' && (fulfilmentStatus === 'minted' || blockchainTxHash !== undefined);
}
