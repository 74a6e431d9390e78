import { readFileSync } from 'node:fs';
import { AbiCoder, dataSlice, Interface, type JsonRpcProvider } from 'ethers';
import { releaseOf } from '../../shared/chain/release.ts';
import { releases } from '../../shared/chain/releases.ts';
import type { ReleaseArtifact } from './release-record.ts';
import { type StandardJsonInput, standardJsonInput } from './solc.ts';

/** A block explorer's input for verifying a deployed contract. */
export interface Verification {
  contract: string;
  release: number;
  input: StandardJsonInput;
  /** ABI-encoded, hex without 0x, as explorers accept them. */
  constructorArguments: string;
  /** The same arguments, by parameter. */
  decoded: Record<string, unknown>;
}

/** The contract's path and name in the input. */
export const contractName = 'infra/contracts/BoxofficeTickets.sol:BoxofficeTickets';

/**
 * Reads the constructor's arguments from the transaction that deployed the contract.
 * @throws Error in one sentence when the transaction is not mined or deployed no contract of a known release
 */
export async function verificationOf(provider: JsonRpcProvider, hash: string): Promise<Verification> {
  const [transaction, receipt] = await Promise.all([
    provider.getTransaction(hash),
    provider.getTransactionReceipt(hash),
  ]);
  if (!transaction || !receipt) throw new Error(`Transaction ${hash} is not mined on this chain`);
  const contract = receipt.contractAddress;
  if (!contract) throw new Error(`Transaction ${hash} deployed no contract`);
  const release = releaseOf(await provider.getCode(contract));
  if (!release) throw new Error(`The contract ${contract} is of no known release`);

  const { abi, bytecode, input } = sourcesOf(release.version);
  if (!transaction.data.startsWith(bytecode)) {
    throw new Error(
      `The contract ${contract} was compiled from other sources than release ${release.version}`,
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
    decoded: Object.fromEntries(parameters.map(({ name }, index) => [name, values[index]])),
  };
}

/** Returns a release's artifact and input. A former release's input is a file, since the sources have changed. */
function sourcesOf(version: number): ReleaseArtifact & { input: StandardJsonInput } {
  if (version === releases.length) {
    const input = standardJsonInput(['infra/contracts/BoxofficeTickets.sol']);
    return { ...readJson('./ticket-contract.json'), input };
  }
  return { ...readJson(`./releases/${version}.json`), input: readJson(`./releases/${version}.input.json`) };
}

const readJson = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
