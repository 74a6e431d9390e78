import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { JsonFragment } from 'ethers';
import solc from 'solc';

/**
 * Pinned, as the compiler's version is in package.json: the same sources always give the same bytes.
 * `cancun` is what every chain in use understands.
 */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'] } },
};

const root = path.resolve(import.meta.dirname, '..', '..');
const { resolve } = createRequire(import.meta.url);

export interface CompiledContract {
  abi: JsonFragment[];
  /** What deploys it, hex with 0x; the constructor's arguments go behind it. */
  bytecode: string;
  /** Four-byte selectors in hex without 0x, by signature. */
  selectors: Record<string, string>;
}

interface Output {
  errors?: { severity: 'error' | 'warning' | 'info'; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<
      string,
      {
        abi: JsonFragment[];
        evm: { bytecode: { object: string }; methodIdentifiers: Record<string, string> };
      }
    >
  >;
}

/**
 * Compiles Solidity files (paths from the project's root) and whatever they import.
 * @returns the contracts and interfaces that were asked for, by name.
 * @throws Error when one is not there, or with the compiler's messages, warnings too: a warning in a contract is
 * a mistake.
 */
export function compileContracts<Name extends string>(
  files: string[],
  names: Name[],
): Record<Name, CompiledContract> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: source(file) }])),
    settings,
  };
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (file: string) => ({ contents: source(file) }) }),
  );
  const problems = (output.errors ?? []).filter(({ severity }) => severity !== 'info');
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'));

  const found = Object.assign({}, ...Object.values(output.contracts)) as Output['contracts'][string];
  const compiled = names.map((name): [string, CompiledContract] => {
    const contract = found[name];
    if (!contract) throw new Error(`The sources have no contract named ${name}`);
    const { bytecode, methodIdentifiers } = contract.evm;
    return [name, { abi: contract.abi, bytecode: `0x${bytecode.object}`, selectors: methodIdentifiers }];
  });
  return Object.fromEntries(compiled) as Record<Name, CompiledContract>;
}

function source(file: string): string {
  const location =
    file.startsWith('@') || file.startsWith('erc721a/') ? resolve(file) : path.join(root, file);
  return readFileSync(location, 'utf8');
}
