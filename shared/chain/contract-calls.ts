import { AbiCoder, Interface } from 'ethers/abi';
import { keccak256 } from 'ethers/crypto';
import { required } from '../runtime/config.ts';
import { type Endpoint, RpcError } from './connection.ts';
import { ticketContractAbi, ticketInterfaceId } from './ticket-contract.ts';

/** An order as the contract takes it. */
export interface ContractOrder {
  orderKey: string;
  to: string;
  quantity: number;
}

const contract = new Interface(ticketContractAbi);

/** One order alone is cheaper by its own function. */
export function mintCalldata(orders: readonly ContractOrder[]): string {
  const [order] = orders;
  return order && orders.length === 1
    ? contract.encodeFunctionData('mintOrder', [order.orderKey, order.to, order.quantity])
    : contract.encodeFunctionData('mintOrders', [orders]);
}

/** Whether a contract of ours is at the address. @throws when the endpoint does not answer */
export async function isTicketContract(endpoint: Endpoint, address: string): Promise<boolean> {
  const answer = await view(endpoint, address, 'supportsInterface', [ticketInterfaceId]);
  return answer === true;
}

/** How many tokens the contract minted for an order: 0 or, from then on for ever, its quantity. */
export async function mintedQuantity(endpoint: Endpoint, address: string, orderKey: string): Promise<number> {
  const answer = await view(endpoint, address, 'mintedQuantity', [orderKey]);
  if (answer === undefined) throw new Error('The contract does not tell what it minted');
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
 * Tries a mint without sending it.
 * @returns the gas it takes, or why the contract refuses, in a sentence for the organizer
 * @throws when the endpoint does not answer
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

/** By this the contract knows an order for ever; stages never collide, even on one contract. */
export function orderKey(chainId: number, contract: string, orderId: string): string {
  const parts = [required('STAGE'), chainId, contract, orderId];
  return keccak256(AbiCoder.defaultAbiCoder().encode(['string', 'uint256', 'address', 'string'], parts));
}

/** The id of the order's first token; the others follow one by one. The last 16 bits of a key are ignored. */
export function firstTokenId(key: string): bigint {
  return (BigInt(key) >> 16n) << 16n;
}

/** Tokens that somebody else holds by then, or nobody, are skipped by the contract. */
export function burnCalldata(holder: string, tokenIds: readonly bigint[]): string {
  return contract.encodeFunctionData('burn', [holder, tokenIds]);
}

/**
 * Tries a transaction without sending it.
 * @returns the gas it takes; undefined when the contract refuses
 * @throws when the endpoint does not answer
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
