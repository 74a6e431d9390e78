import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getBytes, hexlify, Interface, type JsonFragment } from 'ethers';
import { computeCodeHash, type MaskedRange } from '../../shared/chain/contract-calls.ts';
import { type CompiledContract, compileContracts } from './solc.ts';

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
    { file: fileURLToPath(moduleFile), content: renderModule(abi, interfaceId, describeCode(artifact)) },
  ];
}

function renderModule(
  abi: JsonFragment[],
  id: string,
  { size, masked, codeHash }: ReturnType<typeof describeCode>,
): string {
  const ranges = masked.map(({ start, length }) => `{ start: ${start}, length: ${length} }`);
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
export const compiledCode = {
  size: ${size},
  masked: [${ranges.join(', ')}],
  codeHash: '${codeHash}',
};
`;
}

/** Describes the runtime code of a compiled contract. Masked are its immutables and the digest of its sources. */
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

if (import.meta.main) {
  for (const { file, content } of generateFiles()) writeFileSync(file, content);
}
