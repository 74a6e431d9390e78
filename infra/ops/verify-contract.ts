import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseChain, requireArgument } from '../contracts/chain-arguments.ts';
import { connect } from '../contracts/connect-to-chain.ts';
import { compilerVersion } from '../contracts/solc.ts';
import { buildVerification, contractName } from '../contracts/verification.ts';

/** Writes the files that verify a contract’s source on a block explorer. */
export async function verifyContract(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      chain: { type: 'string' },
      'rpc-url': { type: 'string' },
      transaction: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const hash = requireArgument(values.transaction, '--transaction, the hash that deploy-contract printed');
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) throw new Error(`--transaction must be a hash, but is ${hash}`);
  const { chainId, rpcUrl } = parseChain(values, process.env);

  const provider = await connect(rpcUrl, chainId);
  const verification = await buildVerification(provider, hash).finally(() => provider.destroy());
  const folder = values.out ?? path.join('dist', 'verification', `${chainId}-${verification.contract}`);
  mkdirSync(folder, { recursive: true });
  const inputFile = path.join(folder, 'standard-input.json');
  const argumentsFile = path.join(folder, 'constructor-arguments.txt');
  writeFileSync(inputFile, JSON.stringify(verification.input, null, 2));
  writeFileSync(argumentsFile, verification.constructorArguments);

  console.log(`address: ${verification.contract}`);
  console.log(`contract name: ${contractName}`);
  console.log(`compiler: ${compilerVersion()}, Solidity (Standard JSON input), licence MIT`);
  console.log(`standard JSON input: ${inputFile}`);
  console.log(`constructor arguments: ${argumentsFile}`);
  for (const [name, value] of Object.entries(verification.decodedArguments))
    console.log(`  ${name}: ${value}`);
}
