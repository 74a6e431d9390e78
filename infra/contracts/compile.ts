import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Interface, type JsonFragment } from 'ethers';
import type { Release } from '../../shared/chain/releases.ts';
import { type ReleaseArtifact, releaseRecord } from './release-record.ts';
import { type CompiledContract, compileContracts, standardJsonInput } from './solc.ts';

/**
 * `npm run compile-contract`: generates the files that the rest of the project uses from the ticket contract's sources.
 * They are committed, so that only a change of the contract requires a compilation. A test compares them with the
 * sources.
 *
 * `npm run compile-contract -- --keep`: archives the current release, before the sources are changed to the next
 * release.
 */

const contractFile = 'infra/contracts/BoxofficeTickets.sol';
const artifactFile = new URL('./ticket-contract.json', import.meta.url);
const abiModuleFile = new URL('../../shared/chain/ticket-contract.ts', import.meta.url);
const releasesModuleFile = new URL('../../shared/chain/releases.ts', import.meta.url);

/** The folder with the artifacts of former releases, `<version>.json`. Contracts of these releases are in use. */
const formerReleasesFolder = new URL('./releases', import.meta.url);

/** Functions, events and errors that the service uses. */
const usedByServices = new Set([
  'mintOrder',
  'mintOrders',
  'burn',
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
    { file: fileURLToPath(abiModuleFile), content: renderAbiModule(abi, interfaceId) },
    {
      file: fileURLToPath(releasesModuleFile),
      content: renderReleasesModule([...readFormerReleases(), artifact]),
    },
  ];
}

function renderAbiModule(abi: JsonFragment[], id: string): string {
  const fragments = new Interface(abi.filter(({ name }) => name && usedByServices.has(name))).format();
  return `// Generated from infra/contracts by \`npm run compile-contract\`. Do not edit.

/** The parts of the ticket contract that services use, as described in docs/contract.md. */
export const ticketContractAbi = [
${fragments.map((fragment) => `  '${fragment}',`).join('\n')}
] as const;

/** The ERC-165 interface id by which supportsInterface identifies a ticket contract. */
export const ticketInterfaceId = '${id}';
`;
}

/** Reads the artifacts of former releases, in the order of their versions. */
function readFormerReleases(): ReleaseArtifact[] {
  const folder = fileURLToPath(formerReleasesFolder);
  const versions = globSync('+([0-9]).json', { cwd: folder }).map((file) => Number.parseInt(file, 10));
  return versions
    .sort((a, b) => a - b)
    .map((version) => JSON.parse(readFileSync(path.join(folder, `${version}.json`), 'utf8')));
}

function renderReleasesModule(artifacts: ReleaseArtifact[]): string {
  const records = artifacts.map((artifact, index) => renderRelease(releaseRecord(index + 1, artifact)));
  return `// Generated from infra/contracts by \`npm run compile-contract\`. Do not edit.

import type { MaskedRange } from './code-hash.ts';

/** A release of the ticket contract. */
export interface Release {
  version: number;
  /** The ERC-165 id that its contracts support. */
  interfaceId: string;
  /** Size of the runtime code, in bytes. */
  size: number;
  /** The ranges that differ between its contracts: immutables, and the digest of the sources. */
  masked: MaskedRange[];
  /** keccak256 of the runtime code with the masked ranges as zeros. */
  codeHash: string;
  capabilities: {
    /** Burning requires BURNER_ROLE; without this capability it requires MINTER_ROLE. */
    burnerRole: boolean;
    /** ERC-7572: contractURI and setContractURI. */
    contractUri: boolean;
    /** ERC-5192: locked. */
    locked: boolean;
    /** refreshMetadata: announces to indexers that metadata changed. */
    metadataRefresh: boolean;
    /** ERC-5313: owner. */
    owner: boolean;
    /** ERC-2981: royaltyInfo and setDefaultRoyalty. */
    royalties: boolean;
    /** A single admin, transferred in two steps. */
    twoStepAdmin: boolean;
  };
}

/** All releases, the current one last. */
export const releases: readonly Release[] = [
${records.join('\n')}
];
`;
}

function renderRelease({ version, interfaceId, size, masked, codeHash, capabilities }: Release): string {
  const ranges = masked.map(({ start, length }) => `{ start: ${start}, length: ${length} }`);
  const capabilityLines = Object.entries(capabilities).map(([name, value]) => `      ${name}: ${value},`);
  return `  {
    version: ${version},
    interfaceId: '${interfaceId}',
    size: ${size},
    masked: [${ranges.join(', ')}],
    codeHash: '${codeHash}',
    capabilities: {
${capabilityLines.join('\n')}
    },
  },`;
}

/** Computes the ERC-165 interface id: the exclusive or of all selectors of the interface. */
function interfaceIdOf({ selectors }: CompiledContract): string {
  const id = Object.values(selectors).reduce((sum, selector) => sum ^ BigInt(`0x${selector}`), 0n);
  return `0x${id.toString(16).padStart(8, '0')}`;
}

/** Returns the current release's artifact and compiler input as files in the folder of former releases. */
function archiveRelease(): { file: string; content: string }[] {
  const inFolder = (name: string) => path.join(fileURLToPath(formerReleasesFolder), name);
  const version = readFormerReleases().length + 1;
  const input = standardJsonInput([contractFile]);
  return [
    { file: inFolder(`${version}.json`), content: readFileSync(artifactFile, 'utf8') },
    { file: inFolder(`${version}.input.json`), content: `${JSON.stringify(input, null, 2)}\n` },
  ];
}

if (import.meta.main) {
  const files = process.argv.includes('--keep') ? archiveRelease() : generateFiles();
  for (const { file, content } of files) writeFileSync(file, content);
}
