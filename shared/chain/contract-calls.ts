import { AbiCoder, Interface } from 'ethers/abi';
import { MaxUint256 } from 'ethers/constants';
import { keccak256 } from 'ethers/crypto';
import { getBytes, isHexString } from 'ethers/utils';
import { requiredSetting } from '../runtime/config.ts';
import {
  type Connection,
  RpcError,
  type RpcNode,
  readFromAllNodes,
  readFromAnyNode,
  readPositiveFromAnyNode,
  toBlockTag,
} from './connection.ts';
import { type ExpectedGas, gasCeiling, gasLimit, readGasCap } from './gas.ts';
import { compiledCode, compiledCreationCode, ticketContractAbi } from './ticket-contract.ts';

/** An order as an argument of the contract. */
export interface ContractOrder {
  orderKey: string;
  to: string;
  quantity: number;
}

const contract = new Interface(ticketContractAbi);

/** Encodes the call that mints orders. A single order uses a cheaper function. */
export function encodeMint(orders: readonly ContractOrder[]): string {
  const [order] = orders;
  return order && orders.length === 1
    ? contract.encodeFunctionData('mintOrder', [order.orderKey, order.to, order.quantity])
    : contract.encodeFunctionData('mintOrders', [orders]);
}

/** Ticket contracts, by chain and address. Cached: code never changes. */
const knownContracts = new Set<string>();

/**
 * Returns whether a contract has the code of the ticket contract. Other code might use any amount of gas
 * for a mint, or mint an order twice.
 * @throws ChainUnreachable when no node answers, or they disagree
 */
export async function isTicketContract(connection: Connection, address: string): Promise<boolean> {
  const cacheKey = `${connection.chain.id} ${address}`;
  if (knownContracts.has(cacheKey)) return true;
  const isKnown = await readPositiveFromAnyNode(
    connection,
    async (node) => isTicketCode(await node.call<string>('eth_getCode', [address, 'latest'])),
    (isKnown) => isKnown,
  );
  if (isKnown) knownContracts.add(cacheKey);
  return isKnown;
}

const adminRole = `0x${'0'.repeat(64)}`;

/**
 * Returns whether a wallet has the contract's DEFAULT_ADMIN_ROLE.
 * @throws Error when the node fails or does not answer
 */
export async function isContractAdmin(node: RpcNode, address: string, wallet: string): Promise<boolean> {
  return (await callView(node, address, 'latest', 'hasRole', [adminRole, wallet])) === true;
}

/**
 * Reads how many tokens the contract has minted for an order: 0 or its full quantity.
 * @returns 0 also for a contract that does not implement the ticket contract
 * @throws Error when the node fails or does not answer
 */
export async function readMintedQuantity(
  node: RpcNode,
  address: string,
  orderKey: string,
  block: 'latest' | number = 'latest',
): Promise<number> {
  return Number((await callView(node, address, block, 'mintedQuantity', [orderKey])) ?? 0);
}

/** The public properties of a contract. */
export interface ContractProperties {
  name: string;
  transfersAllowed: boolean;
}

/**
 * Reads a contract's name and whether it allows transfers.
 * @returns undefined for a contract that does not implement the ticket contract
 * @throws Error when the node fails or does not answer
 */
export async function readContractProperties(
  node: RpcNode,
  address: string,
): Promise<ContractProperties | undefined> {
  const [name, transfersAllowed] = await Promise.all([
    callView(node, address, 'latest', 'name', []),
    callView(node, address, 'latest', 'transfersAllowed', []),
  ]);
  if (typeof name !== 'string' || typeof transfersAllowed !== 'boolean') return undefined;
  return { name: name.slice(0, maximumNameLength).toWellFormed(), transfersAllowed };
}

/** The largest length of a contract's name in characters. Longer names are cut: its deployer chose the text. */
const maximumNameLength = 100;

/** Calls a view function. @returns undefined when the contract or the function does not exist */
async function callView(
  node: RpcNode,
  to: string,
  block: 'latest' | number,
  name: string,
  args: unknown[],
): Promise<unknown> {
  const data = contract.encodeFunctionData(name, args);
  try {
    const answer = await node.call<string>('eth_call', [{ to, data }, toBlockTag(block)]);
    return answer === '0x' ? undefined : contract.decodeFunctionResult(name, answer)[0];
  } catch (error) {
    if (error instanceof RpcError && !error.isRevert) throw error;
    if (error instanceof RpcError || isUndecodable(error)) return undefined;
    throw error;
  }
}

const isUndecodable = (error: unknown) => (error as { code?: unknown }).code === 'BAD_DATA';

/** Why a contract call can't be sent. Shown to the organizer. */
export interface CallRefusal {
  code: 'contract-refused' | 'too-much-gas';
  /** The explanation, as a sentence. */
  message: string;
}

/** Simulates a mint; see `estimateGas`. */
export function simulateMint(
  node: RpcNode,
  from: string,
  to: string,
  orders: readonly ContractOrder[],
  maximumGas: number,
): Promise<{ gas: number } | { refusal: CallRefusal }> {
  const call = { from, to, data: encodeMint(orders) };
  return estimateGas(node, call, maximumGas, (error) => explainMintRevert(error, to, orders));
}

/**
 * Simulates a transaction.
 * @param maximumGas the largest allowed gas
 * @param explainRevert returns why the contract reverts, as a sentence
 * @returns the estimated gas, or why the transaction can't be sent
 * @throws Error when the node fails or does not answer
 */
export async function estimateGas(
  node: RpcNode,
  call: { from: string; to: string; data: string },
  maximumGas: number,
  explainRevert: (error: RpcError) => string,
): Promise<{ gas: number } | { refusal: CallRefusal }> {
  const tooMuchGas = {
    code: 'too-much-gas' as const,
    message: `The contract ${call.to} needs more gas than the maximum of ${maximumGas}`,
  };
  try {
    const limitedCall = { ...call, gas: `0x${maximumGas.toString(16)}` };
    const gas = Number(await node.call<string>('eth_estimateGas', [limitedCall]));
    return gas <= maximumGas ? { gas } : { refusal: tooMuchGas };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (isOutOfGas(error)) return { refusal: tooMuchGas };
    if (!error.isRevert) throw error;
    return { refusal: { code: 'contract-refused', message: explainRevert(error) } };
  }
}

/**
 * Simulates a call of the ticket contract.
 * @returns the gas limit to sign, or why the call can't be sent
 * @throws ChainUnreachable when no node answers or the nodes disagree
 */
export async function simulateCall(
  connection: Connection,
  call: { from: string; to: string; data: string },
  expected: ExpectedGas,
  explainRevert: string,
): Promise<{ gasLimit: bigint } | { refusal: CallRefusal }> {
  const gasCap = await readFromAnyNode(connection, readGasCap);
  const ceiling = gasCeiling(expected, gasCap, connection.chain);
  const estimate = await readPositiveFromAnyNode(
    connection,
    (node) => estimateGas(node, call, ceiling, () => explainRevert),
    (result) => 'gas' in result,
  );
  return 'gas' in estimate ? { gasLimit: gasLimit(estimate.gas, expected, gasCap) } : estimate;
}

/** Geth, bor, erigon and reth say "gas required exceeds allowance"; some nodes return the error of the EVM. */
function isOutOfGas({ message }: RpcError): boolean {
  return /gas required exceeds|out of gas/i.test(message);
}

function explainMintRevert({ data }: RpcError, address: string, orders: readonly ContractOrder[]): string {
  const refusal = decodeError(data);
  switch (refusal?.name) {
    case 'AccessControlUnauthorizedAccount':
      return `The contract ${address} does not allow us to mint. Grant its MINTER_ROLE to ${refusal.argument}`;
    case 'InvalidQuantity':
      return `The contract does not mint ${refusal.argument} tickets in one order`;
    case 'ERC721InvalidReceiver':
      return `The contract does not mint to the wallet ${refusal.argument}`;
    default:
      return `The contract ${address} refuses to mint ${orders.length === 1 ? 'this order' : 'these orders'}`;
  }
}

/** Decodes an error of the contract with its first argument. @returns undefined for any other revert data */
function decodeError(data = '0x'): { name: string; argument: unknown } | undefined {
  try {
    const error = contract.parseError(data);
    return error ? { name: error.name, argument: error.args[0] } : undefined;
  } catch {
    // Contracts can revert with any bytes. Malformed arguments are detected when they are parsed or read.
    return undefined;
  }
}

/**
 * Derives an order's key in the contract. The key depends on the stage, so stages can share a contract.
 * @param issue 1 for the first mint of the order, 2 for its first reissue and so on; each has its own key
 */
export function deriveOrderKey(chainId: number, contract: string, orderId: string, issue = 1): string {
  const parts = [requiredSetting('STAGE'), chainId, contract, issue === 1 ? orderId : `${orderId}.${issue}`];
  return keccak256(AbiCoder.defaultAbiCoder().encode(['string', 'uint256', 'address', 'string'], parts));
}

/**
 * Returns the id of an order's first token: its key with the last 16 bits cleared. The ids of its other tokens follow
 * consecutively.
 */
export function firstTokenId(key: string): bigint {
  return (BigInt(key) >> 16n) << 16n;
}

/** Decodes the calldata of a mint. @returns no orders for any other calldata */
export function decodeMintCalldata(data: string): ContractOrder[] {
  const call = contract.parseTransaction({ data });
  if (call?.name !== 'mintOrder' && call?.name !== 'mintOrders') return [];
  const orders = call.name === 'mintOrder' ? [call.args] : [...call.args[0]];
  return orders.map(([orderKey, to, quantity]) => ({ orderKey, to, quantity: Number(quantity) }));
}

/** Encodes the call that burns tokens. The contract skips tokens that the holder no longer owns. */
export function encodeBurn(holder: string, tokenIds: readonly bigint[]): string {
  return contract.encodeFunctionData('burn', [holder, tokenIds]);
}

/** Encodes the call that locks tokens. The contract skips those that do not exist or are locked already. */
export function encodeLock(tokenIds: readonly bigint[]): string {
  return contract.encodeFunctionData('lock', [tokenIds]);
}

/** `locked(uint256)`: the interface id of ERC-5192. */
const lockedSelector = '0xb45a3c0e';

/** Returns whether a node reports a token as locked. */
export async function isLocked(connection: Connection, to: string, tokenId: bigint): Promise<boolean> {
  const data = lockedSelector + tokenId.toString(16).padStart(64, '0');
  const answers = await readFromAllNodes(connection, (node) =>
    node.call<string>('eth_call', [{ to, data }, 'latest']),
  );
  return answers.some((answer) => /^0x0*1$/.test(answer));
}

/** Encodes the call that announces changed metadata of all tokens of the contract. */
export function encodeRefreshMetadata(): string {
  return contract.encodeFunctionData('refreshMetadata', [0n, MaxUint256]);
}

/** A range of runtime code that may differ between deployments of the contract, in bytes. */
export interface MaskedRange {
  start: number;
  length: number;
}

/**
 * Returns whether runtime code is that of the ticket contract. It compares every byte outside the masked ranges:
 * immutables, and the digest of the sources, which is never executed. A proxy is never accepted: its owner can
 * change the implementation. Another constructor may have written other storage for the same code, so callers still
 * have to check what the contract returns.
 * @param runtimeCode the result of `eth_getCode`, hex with 0x
 */
export function isTicketCode(runtimeCode: string): boolean {
  const { size, masked, codeHash } = compiledCode;
  return isHexString(runtimeCode, size) && computeCodeHash(getBytes(runtimeCode), masked) === codeHash;
}

/**
 * Returns whether a contract was deployed with the creation code of the ticket contract; undefined when no node can tell.
 * Few nodes index deployments (`ots_getContractCreator` of Otterscan), and a contract that another one deployed has no
 * transaction with its creation code. Other creation code can write any storage, such as a second admin.
 */
export async function hasTicketCreationCode(
  connection: Connection,
  address: string,
): Promise<boolean | undefined> {
  const answers = await readFromAllNodes(connection, async (node) => {
    const creation = await node.call<{ hash: string } | null>('ots_getContractCreator', [address]);
    const transaction =
      creation &&
      (await node.call<{ to: string | null; input: string } | null>('eth_getTransactionByHash', [
        creation.hash,
      ]));
    return transaction && !transaction.to ? isTicketCreationCode(transaction.input) : undefined;
  });
  const known = answers.filter((answer) => answer !== undefined);
  return known.length === 0 ? undefined : known.every(Boolean);
}

/** Returns whether the data of a deployment starts with the creation code of the ticket contract. */
function isTicketCreationCode(data: string): boolean {
  const { size, masked, codeHash } = compiledCreationCode;
  const code = getBytes(data).slice(0, size);
  return code.length === size && computeCodeHash(code, masked) === codeHash;
}

/** Returns the keccak256 hash of runtime code with the masked ranges as zeros; hex with 0x. */
export function computeCodeHash(code: Uint8Array, masked: readonly MaskedRange[]): string {
  const copy = code.slice();
  for (const { start, length } of masked) copy.fill(0, start, start + length);
  return keccak256(copy);
}
