import { Interface } from 'ethers/abi';
import { type Endpoint, RpcError } from './endpoint.ts';
import type { Log } from './mint-logs.ts';
import { ticketContractAbi } from './ticket-contract.ts';

const contract = new Interface(ticketContractAbi);
const transfer = contract.getEvent('Transfer')?.topicHash ?? '';
const toNobody = `0x${'0'.repeat(64)}`;

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

/** The ids, decimal, of the tokens of a contract that were burned in a transaction with these logs. */
export function burnedIn(logs: readonly Log[], address: string): string[] {
  return logs.flatMap(({ address: by, topics: [kind, , to, tokenId] }) => {
    const isBurn = kind === transfer && to === toNobody && by.toLowerCase() === address.toLowerCase();
    return isBurn && tokenId ? [String(BigInt(tokenId))] : [];
  });
}
