import { readFileSync } from 'node:fs';
import { AbiCoder, dataSlice, Interface, type JsonRpcProvider } from 'ethers';
import { findRelease } from '../../shared/chain/release.ts';
import { releases } from '../../shared/chain/releases.ts';
import type { ReleaseArtifact } from './release-record.ts';
import { type StandardJsonInput, standardJsonInput } from './solc.ts';

/** The values that a block explorer needs to verify the source code of a deployed contract. */
export interface Verification {
  /** The contract's address. */
  contract: string;
  release: number;
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
 * @throws Error when the transaction is not mined, deployed no contract, or deployed one that matches no known release
 */
export async function buildVerification(provider: JsonRpcProvider, hash: string): Promise<Verification> {
  const [transaction, receipt] = await Promise.all([
    provider.getTransaction(hash),
    provider.getTransactionReceipt(hash),
  ]);
  if (!transaction || !receipt) throw new Error(`Transaction ${hash} is not mined on this chain`);
  const contract = receipt.contractAddress;
  if (!contract) throw new Error(`Transaction ${hash} deployed no contract`);
  const release = findRelease(await provider.getCode(contract));
  if (!release) throw new Error(`The contract ${contract} matches no known release`);

  const { abi, bytecode, input } = artifactAndInput(release.version);
  if (!transaction.data.startsWith(bytecode)) {
    throw new Error(
      `The contract ${contract} was not compiled from the sources of release ${release.version}`,
    );
  }
  const encoded = dataSlice(transaction.data, (bytecode.length - 2) / 2);
  const parameters = new Interface(abi).deploy.inputs;
  const values = AbiCoder.defaultAbiCoder().decode(parameters, encoded);
  return {
    contract,
    release: release.version,
    input,
    constructorArguments: encoded.slice(2),
    decodedArguments: Object.fromEntries(parameters.map(({ name }, index) => [name, values[index]])),
  };
}

/**
 * Returns a release's artifact and compiler input. The input of the current release is built from the sources in this
 * repository. Earlier releases had other sources, so their inputs are stored in files.
 */
function artifactAndInput(version: number): ReleaseArtifact & { input: StandardJsonInput } {
  if (version === releases.length) {
    const input = standardJsonInput(['infra/contracts/BoxofficeTickets.sol']);
    return { ...readJson('./ticket-contract.json'), input };
  }
  return { ...readJson(`./releases/${version}.json`), input: readJson(`./releases/${version}.input.json`) };
}

const readJson = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
