import { AbiCoder, Interface } from 'ethers/abi';
import { keccak256 } from 'ethers/crypto';
import { required } from '../runtime/config.ts';
import { type Endpoint, RpcError } from './connection.ts';
import { ticketContractAbi, ticketInterfaceId } from './ticket-contract.ts';

/** An order as the contract's argument. */
export interface ContractOrder {
  orderKey: string;
  to: string;
  quantity: number;
}

const contract = new Interface(ticketContractAbi);

/** Encodes the call that mints orders. A single order has a cheaper function of its own. */
export function mintCalldata(orders: readonly ContractOrder[]): string {
  const [order] = orders;
  return order && orders.length === 1
    ? contract.encodeFunctionData('mintOrder', [order.orderKey, order.to, order.quantity])
    : contract.encodeFunctionData('mintOrders', [orders]);
}

/** Whether the address is a ticket contract of ours. @throws when the node does not answer */
export async function isTicketContract(endpoint: Endpoint, address: string): Promise<boolean> {
  const answer = await view(endpoint, address, 'supportsInterface', [ticketInterfaceId]);
  return answer === true;
}

const adminRole = `0x${'0'.repeat(64)}`;

/** Returns whether a wallet has the contract's DEFAULT_ADMIN_ROLE. @throws when the endpoint does not answer */
export async function isContractAdmin(endpoint: Endpoint, address: string, wallet: string): Promise<boolean> {
  return (await view(endpoint, address, 'hasRole', [adminRole, wallet])) === true;
}

/** Reads how many tokens the contract has minted for an order: 0 or its full quantity. */
export async function mintedQuantity(endpoint: Endpoint, address: string, orderKey: string): Promise<number> {
  const answer = await view(endpoint, address, 'mintedQuantity', [orderKey]);
  if (answer === undefined) throw new Error('The contract does not return the minted quantity');
  return Number(answer);
}

/** @returns undefined when there is no such contract, or it has no such function */
async function view(endpoint: Endpoint, to: string, name: string, values: unknown[]): Promise<unknown> {
  const data = contract.encodeFunctionData(name, values);
  try {
    const answer = await endpoint.call<string>('eth_call', [{ to, data }, 'latest']);
    return answer === '0x' ? undefined : contract.decodeFunctionResult(name, answer)[0];
  } catch (error) {
    if (error instanceof RpcError && !error.isRevert) throw error;
    if (error instanceof RpcError || isUndecodable(error)) return undefined;
    throw error;
  }
}

const isUndecodable = (error: unknown) => (error as { code?: unknown }).code === 'BAD_DATA';

/**
 * Simulates a mint.
 * @returns the estimated gas, or the reason for which the contract refuses, as a sentence for the organizer
 * @throws when the node does not answer
 */
export async function tryMint(
  endpoint: Endpoint,
  from: string,
  to: string,
  orders: readonly ContractOrder[],
): Promise<{ gas: number } | { refusal: string }> {
  try {
    const call = { from, to, data: mintCalldata(orders) };
    return { gas: Number(await endpoint.call<string>('eth_estimateGas', [call])) };
  } catch (error) {
    if (error instanceof RpcError && error.isRevert) return { refusal: explain(error, to, orders) };
    throw error;
  }
}

function explain({ data }: RpcError, address: string, orders: readonly ContractOrder[]): string {
  const refusal = data && data.length >= 10 ? contract.parseError(data) : null;
  switch (refusal?.name) {
    case 'AccessControlUnauthorizedAccount':
      return `The contract ${address} does not let us mint: grant its MINTER_ROLE to ${refusal.args[0]}`;
    case 'InvalidQuantity':
      return `The contract does not mint ${refusal.args[0]} tickets in one order`;
    case 'ERC721InvalidReceiver':
      return `The contract does not mint to the wallet ${refusal.args[0]}`;
    default:
      return `The contract ${address} refuses to mint ${orders.length === 1 ? 'this order' : 'these orders'}`;
  }
}

/** Derives an order's key in the contract. It includes the stage, so that stages can share a contract. */
export function orderKey(chainId: number, contract: string, orderId: string): string {
  const parts = [required('STAGE'), chainId, contract, orderId];
  return keccak256(AbiCoder.defaultAbiCoder().encode(['string', 'uint256', 'address', 'string'], parts));
}

/** Returns the id of an order's first token: its key with the last 16 bits cleared. The others count up from it. */
export function firstTokenId(key: string): bigint {
  return (BigInt(key) >> 16n) << 16n;
}

/** Encodes the call that burns tokens. The contract skips those that the holder no longer has. */
export function burnCalldata(holder: string, tokenIds: readonly bigint[]): string {
  return contract.encodeFunctionData('burn', [holder, tokenIds]);
}

/**
 * Simulates a transaction.
 * @returns the estimated gas; undefined when the contract refuses
 * @throws when the node does not answer
 */
export async function estimateGas(
  endpoint: Endpoint,
  call: { from: string; to: string; data: string },
): Promise<number | undefined> {
  try {
    return Number(await endpoint.call<string>('eth_estimateGas', [call]));
  } catch (error) {
    if (error instanceof RpcError && error.isRevert) return undefined;
    throw error;
  }
}
