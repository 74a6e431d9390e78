import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getBytes, hexlify, Interface, type JsonFragment } from 'ethers';
import solc from 'solc';
import { computeCodeHash, type MaskedRange } from '../../shared/chain/contract-calls.ts';

/**
 * `npm run compile-contract`: generates the files that the rest of the project uses from the ticket contract's sources.
 * They are committed, so that only a change of the contract requires a compilation. A test compares them with the
 * sources.
 */

const contractFile = 'infra/contracts/BoxofficeTickets.sol';
const artifactFile = new URL('./ticket-contract.json', import.meta.url);
const moduleFile = new URL('../../shared/chain/ticket-contract.ts', import.meta.url);

/** Functions, events and errors that the service uses. */
const usedByServices = new Set([
  'mintOrder',
  'mintOrders',
  'burn',
  'lock',
  'refreshMetadata',
  'mintedQuantity',
  'firstTokenId',
  'ownerOf',
  'balanceOf',
  'transfersAllowed',
  'name',
  'hasRole',
  'MINTER_ROLE',
  'supportsInterface',
  'Transfer',
  'InvalidQuantity',
  'ERC721InvalidReceiver',
  'ERC721InvalidOwner',
  'AccessControlUnauthorizedAccount',
]);

/** Returns the paths and contents of the generated files. */
export function generateFiles(): { file: string; content: string }[] {
  const { BoxofficeTickets, IBoxofficeTickets } = compileContracts(
    [contractFile],
    ['BoxofficeTickets', 'IBoxofficeTickets'],
  );
  const { abi, bytecode, deployedBytecode, immutableReferences } = BoxofficeTickets;
  const interfaceId = interfaceIdOf(IBoxofficeTickets);
  const artifact = { abi, bytecode, deployedBytecode, immutableReferences, interfaceId };
  return [
    { file: fileURLToPath(artifactFile), content: `${JSON.stringify(artifact, null, 2)}\n` },
    { file: fileURLToPath(moduleFile), content: renderModule(artifact) },
  ];
}

type TicketArtifact = Omit<CompiledContract, 'selectors'> & { interfaceId: string };

function renderModule({ abi, bytecode, interfaceId: id, ...runtime }: TicketArtifact): string {
  const renderCode = ({ size, masked, codeHash }: ReturnType<typeof describeCode>) => {
    const ranges = masked.map(({ start, length }) => `{ start: ${start}, length: ${length} }`);
    return `{
  size: ${size},
  masked: [${ranges.join(', ')}],
  codeHash: '${codeHash}',
}`;
  };
  const fragments = new Interface(abi.filter(({ name }) => name && usedByServices.has(name))).format();
  return `// Generated from infra/contracts by \`npm run compile-contract\`. Do not edit.

/** The parts of the ticket contract that services use, as described in docs/contract.md. */
export const ticketContractAbi = [
${fragments.map((fragment) => `  '${fragment}',`).join('\n')}
] as const;

/** The ERC-165 interface id by which supportsInterface identifies a ticket contract. */
export const ticketInterfaceId = '${id}';

/**
 * The runtime code of the ticket contract: its size in bytes, the ranges that differ between deployments, and the
 * keccak256 of the code with zeros in these ranges.
 */
export const compiledCode = ${renderCode(describeCode(runtime))};

/** The creation code of the ticket contract, described in the same way. A deployment appends the constructor's arguments. */
export const compiledCreationCode = ${renderCode(describeCode({ deployedBytecode: bytecode, immutableReferences: {} }))};
`;
}

/** Describes the runtime or creation code of a compiled contract. Masked are its immutables and the digest of its sources. */
export function describeCode({
  deployedBytecode,
  immutableReferences,
}: Pick<CompiledContract, 'deployedBytecode' | 'immutableReferences'>) {
  const code = getBytes(deployedBytecode);
  const masked = [...Object.values(immutableReferences).flat(), getSourceDigestRange(code)];
  return {
    size: code.length,
    masked: masked.map(({ start, length }) => ({ start, length })),
    codeHash: computeCodeHash(code, masked),
  };
}

/** The start of the compiler's CBOR metadata: a map whose first key is `ipfs`, and a SHA-256 multihash. */
const metadataStart = '0xa2646970667358221220';
const digestBytes = 32;

/**
 * Returns the position of the sources' digest in the code. The compiler appends CBOR metadata and, in two bytes, the
 * length of the metadata. The digest changes with every comment, although the executable code remains the same.
 * @throws Error when the code does not end in such metadata
 */
function getSourceDigestRange(code: Uint8Array): MaskedRange {
  const [high = 0, low = 0] = code.slice(-2);
  const start = code.length - 2 - (high * 256 + low);
  const prefix = getBytes(metadataStart);
  if (hexlify(code.slice(start, start + prefix.length)) !== metadataStart) {
    throw new Error('The compiled code does not end in metadata with an IPFS digest');
  }
  return { start: start + prefix.length, length: digestBytes };
}

/** Computes the ERC-165 interface id: the exclusive or of all selectors of the interface. */
function interfaceIdOf({ selectors }: CompiledContract): string {
  const id = Object.values(selectors).reduce((sum, selector) => sum ^ BigInt(`0x${selector}`), 0n);
  return `0x${id.toString(16).padStart(8, '0')}`;
}

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

if (import.meta.main) {
  for (const { file, content } of generateFiles()) writeFileSync(file, content);
}
