import { AbiCoder, dataSlice, Interface, type JsonRpcProvider } from 'ethers';
import { isTicketCode } from '../../shared/chain/contract-calls.ts';
import { type StandardJsonInput, standardJsonInput } from './compile.ts';
import artifact from './ticket-contract.json' with { type: 'json' };

/** The values that a block explorer needs to verify the source code of a deployed contract. */
export interface Verification {
  /** The contract's address. */
  contract: string;
  input: StandardJsonInput;
  /** ABI-encoded, hex without 0x, as explorers accept them. */
  constructorArguments: string;
  /** The constructor's arguments, decoded, by parameter name. */
  decodedArguments: Record<string, unknown>;
}

/** The contract's fully qualified name in the compiler input: source path, colon, name. */
export const contractName = 'infra/contracts/BoxofficeTickets.sol:BoxofficeTickets';

/**
 * Builds the verification input of the contract that a transaction deployed. The constructor's arguments follow the
 * bytecode in the transaction's data.
 * @param hash the hash of the deploying transaction
 * @throws Error when the transaction is not mined, deployed no contract, or deployed one without the code of the ticket contract
 */
export async function buildVerification(provider: JsonRpcProvider, hash: string): Promise<Verification> {
  const [transaction, receipt] = await Promise.all([
    provider.getTransaction(hash),
    provider.getTransactionReceipt(hash),
  ]);
  if (!transaction || !receipt) throw new Error(`Transaction ${hash} is not mined on this chain`);
  const contract = receipt.contractAddress;
  if (!contract) throw new Error(`Transaction ${hash} deployed no contract`);
  if (!isTicketCode(await provider.getCode(contract)))
    throw new Error(`The contract ${contract} does not have the code of the ticket contract`);

  const { abi, bytecode } = artifact;
  if (!transaction.data.startsWith(bytecode)) {
    throw new Error(`The contract ${contract} was compiled from other sources`);
  }
  const encoded = dataSlice(transaction.data, (bytecode.length - 2) / 2);
  const parameters = new Interface(abi).deploy.inputs;
  const values = AbiCoder.defaultAbiCoder().decode(parameters, encoded);
  return {
    contract,
    input: standardJsonInput(['infra/contracts/BoxofficeTickets.sol']),
    constructorArguments: encoded.slice(2),
    decodedArguments: Object.fromEntries(parameters.map(({ name }, index) => [name, values[index]])),
  };
}
