import { agreed, ChainUnreachable, type Connection, connect, readAll } from '../chain/connection.ts';
import { isContractAdmin, isTicketContract } from '../chain/contract-calls.ts';
import { optional } from '../runtime/config.ts';
import { type Authorization, isPlatformContract, statusOf } from './contract.ts';
import type { ContractUse } from './read-statuses.ts';
import { findBindings, recordAdminCheck } from './store.ts';

/**
 * Returns whether tickets may be minted now. Unlike `readContractStatuses`, it reads the wallet's admin role from the
 * chain and stores the result.
 */
export async function checkAuthorization(use: ContractUse): Promise<Authorization> {
  const { chainId, contractAddress: address, organizerId } = use;
  if (address === null) return 'none';
  if (isPlatformContract(optional('TICKET_CONTRACTS') ?? '', chainId, address)) return 'authorized';
  const place = { chainId, address, organizerId };
  const [binding] = await findBindings([place]);
  if (binding?.wallet === undefined || binding.boundBy !== undefined) return statusOf(binding);
  const isAdmin = (await administers(chainId, address, binding.wallet)) ?? null;
  if (isAdmin !== binding.isAdmin) await recordAdminCheck(place, isAdmin);
  return statusOf({ ...binding, isAdmin });
}

/**
 * Returns whether a wallet has a ticket contract's admin role; undefined when the nodes do not answer, or disagree. It
 * calls only contracts with the code of a known release, since calls to other code could slow down the nodes for all
 * mints.
 */
export async function administers(
  chainId: number,
  address: string,
  wallet: string,
): Promise<boolean | undefined> {
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const isOurs = await isKnown(connection, address);
  if (!isOurs) return isOurs;
  return agreed(connection, await readAll(connection, (node) => isContractAdmin(node, address, wallet)));
}

async function isKnown(connection: Connection, address: string): Promise<boolean | undefined> {
  try {
    return await isTicketContract(connection, address);
  } catch (error) {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  }
}
