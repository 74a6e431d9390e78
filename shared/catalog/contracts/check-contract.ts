import {
  ChainUnreachable,
  type Connection,
  connect,
  findAgreedAnswer,
  readFromAllNodes,
  readFromAnyNode,
} from '../../chain/connection.ts';
import {
  hasTicketCreationCode,
  isContractAdmin,
  isTicketContract,
  readContractProperties,
} from '../../chain/contract-calls.ts';
import { DomainError } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { EventChanged, getEvent, scheduleContractCheck } from '../events/store.ts';
import { type Authorization, authorizationOf, isPlatformContract } from './contract.ts';
import type { ContractUse } from './contract-status.ts';
import { findBindings, recordAdminCheck, recordObservation } from './store.ts';

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
 * calls only contracts with the code of the ticket contract, since calls to other code could slow down the nodes for
 * all mints.
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

/** Returns whether a contract was deployed by the ticket contract's code; undefined when no node can tell. */
export async function checkCreationCode(chainId: number, address: string): Promise<boolean | undefined> {
  const connection = await connect(chainId);
  return connection && hasTicketCreationCode(connection, address);
}

async function checkKnownRelease(connection: Connection, address: string): Promise<boolean | undefined> {
  try {
    return await isTicketContract(connection, address);
  } catch (error) {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  }
}

const observationIntervalMilliseconds = 5 * 60_000;

/** When this execution environment last observed each contract, epoch milliseconds. */
const lastObservedAt = new Map<string, number>();

/**
 * Records the name and transfer rule of a contract, at most every five minutes. Both are only displayed, so the answer
 * of one node suffices.
 * @throws ChainUnreachable when no node answers
 */
export async function observePeriodically(connection: Connection, address: string): Promise<void> {
  const cacheKey = `${connection.chain.id} ${address}`;
  if (Date.now() - (lastObservedAt.get(cacheKey) ?? 0) < observationIntervalMilliseconds) return;
  await observe(connection, address);
  lastObservedAt.set(cacheKey, Date.now());
}

/**
 * Records the current name and transfer rule of a contract, or that no node answers. Ignores contracts without the code
 * of the ticket contract.
 */
export async function observeContract(chainId: number, address: string): Promise<void> {
  const connection = await connect(chainId);
  if (!connection) return;
  try {
    await observe(connection, address);
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    await recordObservation({
      chainId,
      address,
      transfersAllowed: null,
      observedAt: new Date().toISOString(),
    });
  }
}

async function observe(connection: Connection, address: string): Promise<void> {
  if (!(await isTicketContract(connection, address))) return;
  const properties = await readFromAnyNode(connection, (node) => readContractProperties(node, address));
  if (!properties) return;
  const { id: chainId } = connection.chain;
  await recordObservation({ chainId, address, ...properties, observedAt: new Date().toISOString() });
}

/**
 * Reads the transfer rule of an event's contract from the chain and stores it. The event then shows whether its own
 * rule is the same. The sweep queues a check after each change of the event, and when its sale begins.
 */
export async function checkContract(eventId: string): Promise<void> {
  try {
    const event = await getEvent(eventId);
    const { contractAddress, chainId } = event;
    if (contractAddress !== null) await observeContract(chainId, contractAddress);
    await write(scheduleContractCheck(event, Date.now()));
  } catch (error) {
    // The event was changed, which queues another check, or deleted.
    const isGone = error instanceof DomainError && error.code === 'event-not-found';
    if (!(error instanceof EventChanged) && !isGone) throw error;
  }
}
