import {
  ChainUnreachable,
  type Connection,
  connect,
  findAgreedAnswer,
  readFromAllNodes,
} from '../../chain/connection.ts';
import { isContractAdmin, isTicketContract } from '../../chain/contract-calls.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { type Authorization, authorizationOf, isPlatformContract } from './contract.ts';
import type { ContractUse } from './read-contract-statuses.ts';
import { findBindings, recordAdminCheck } from './store.ts';

/**
 * Returns an organizer's current authorization to mint on a contract. Unlike `readContractStatuses`, it reads the
 * wallet's admin role from the chain and stores the result.
 */
export async function checkAuthorization(use: ContractUse): Promise<Authorization> {
  const { chainId, contractAddress: address, organizerId } = use;
  if (address === null) return 'none';
  if (isPlatformContract(optionalSetting('TICKET_CONTRACTS') ?? '', chainId, address)) return 'authorized';
  const reference = { chainId, address, organizerId };
  const [binding] = await findBindings([reference]);
  // A binding by an ADMIN does not depend on a wallet's role.
  if (binding?.wallet === undefined || binding.boundBy !== undefined) return authorizationOf(binding);
  const isAdmin = (await checkAdminRole(chainId, address, binding.wallet)) ?? null;
  if (isAdmin !== binding.isAdmin) await recordAdminCheck(reference, isAdmin);
  return authorizationOf({ ...binding, isAdmin });
}

/**
 * Returns whether a wallet has a ticket contract's admin role; undefined when the nodes do not answer, or disagree. It
 * calls only contracts with the code of a known release, since calls to other code could slow down the nodes for all
 * mints.
 */
export async function checkAdminRole(
  chainId: number,
  address: string,
  wallet: string,
): Promise<boolean | undefined> {
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const isKnown = await checkKnownRelease(connection, address);
  if (!isKnown) return isKnown;
  return findAgreedAnswer(
    connection,
    await readFromAllNodes(connection, (node) => isContractAdmin(node, address, wallet)),
  );
}

async function checkKnownRelease(connection: Connection, address: string): Promise<boolean | undefined> {
  try {
    return await isTicketContract(connection, address);
  } catch (error) {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  }
}
