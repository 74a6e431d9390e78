import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { JsonFragment } from 'ethers';
import solc from 'solc';

/**
 * The compiler's settings. They and the compiler's version in package.json are pinned, so that the same sources always
 * compile to the same bytes. Every supported chain supports `cancun`.
 */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: {
    '*': {
      '*': [
        'abi',
        'evm.bytecode.object',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.immutableReferences',
        'evm.methodIdentifiers',
      ],
    },
  },
};

const root = path.resolve(import.meta.dirname, '..', '..');
const { resolve } = createRequire(import.meta.url);

export interface CompiledContract {
  abi: JsonFragment[];
  /** The creation code, hex with 0x. The constructor's arguments are appended to it. */
  bytecode: string;
  /** The code at the contract's address, hex with 0x, with zeros in place of immutables. */
  deployedBytecode: string;
  /** Positions of immutables in the deployed code, in bytes, by the id of their declaration. */
  immutableReferences: Record<string, { start: number; length: number }[]>;
  /** Four-byte selectors in hex without 0x, by signature. */
  selectors: Record<string, string>;
}

/** The compiler's Standard JSON input: all sources and settings of a compilation. */
export interface StandardJsonInput {
  language: string;
  sources: Record<string, { content: string }>;
  settings: object;
}

interface Output {
  errors?: { severity: 'error' | 'warning' | 'info'; formattedMessage: string }[];
  contracts: Record<string, Record<string, OutputContract>>;
}

interface OutputContract {
  abi: JsonFragment[];
  evm: {
    bytecode: { object: string };
    deployedBytecode: Pick<CompiledContract, 'immutableReferences'> & { object: string };
    methodIdentifiers: Record<string, string>;
  };
}

/**
 * Compiles Solidity files (paths from the project's root) and their imports.
 * @returns the named contracts and interfaces, by name
 * @throws Error when a name is missing, or with the compiler's errors and warnings, since a warning counts as an error
 */
export function compileContracts<Name extends string>(
  files: string[],
  names: Name[],
): Record<Name, CompiledContract> {
  return compileInput(standardJsonInput(files), names);
}

/**
 * Returns the Standard JSON input of Solidity files (paths from the project's root) and their imports. Block explorers
 * accept it as well.
 */
export function standardJsonInput(files: string[]): StandardJsonInput {
  const sources: StandardJsonInput['sources'] = {};
  const add = (file: string) => {
    if (sources[file]) return;
    const content = readSource(file);
    sources[file] = { content };
    for (const [, imported = ''] of content.matchAll(/^import\s[^;]*?["']([^"']+)["'];/gm)) {
      add(imported.startsWith('.') ? path.posix.join(path.posix.dirname(file), imported) : imported);
    }
  };
  files.forEach(add);
  const sorted = Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1));
  return { language: 'Solidity', sources: Object.fromEntries(sorted), settings };
}

/**
 * Compiles a Standard JSON input that contains all its sources.
 * @throws as {@link compileContracts}
 */
export function compileInput<Name extends string>(
  input: StandardJsonInput,
  names: Name[],
): Record<Name, CompiledContract> {
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)));
  const problems = (output.errors ?? []).filter(({ severity }) => severity !== 'info');
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'));

  const found = Object.assign({}, ...Object.values(output.contracts)) as Output['contracts'][string];
  const compiled = names.map((name): [string, CompiledContract] => {
    const contract = found[name];
    if (!contract) throw new Error(`The sources have no contract named ${name}`);
    const { bytecode, deployedBytecode, methodIdentifiers } = contract.evm;
    return [
      name,
      {
        abi: contract.abi,
        bytecode: `0x${bytecode.object}`,
        deployedBytecode: `0x${deployedBytecode.object}`,
        immutableReferences: deployedBytecode.immutableReferences,
        selectors: methodIdentifiers,
      },
    ];
  });
  return Object.fromEntries(compiled) as Record<Name, CompiledContract>;
}

/** Returns the compiler's full version as block explorers require it: `v0.8.37+commit.f401782d`. */
export function compilerVersion(): string {
  return `v${solc.version().replace(/\.Emscripten.*/, '')}`;
}

function readSource(file: string): string {
  const location =
    file.startsWith('@') || file.startsWith('erc721a/') ? resolve(file) : path.join(root, file);
  return readFileSync(location, 'utf8');
}
