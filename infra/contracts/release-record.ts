import { getBytes, hexlify, type JsonFragment } from 'ethers';
import { computeCodeHash, type MaskedRange } from '../../shared/chain/code-hash.ts';
import type { Release } from '../../shared/chain/releases.ts';

/** A compiled release: `ticket-contract.json`, or `releases/<version>.json` of a former one. */
export interface ReleaseArtifact {
  abi: JsonFragment[];
  bytecode: string;
  deployedBytecode: string;
  immutableReferences: Record<string, MaskedRange[]>;
  interfaceId: string;
}

/** The function whose presence shows a capability of a release. */
const capabilityFunctions: Record<keyof Release['capabilities'], string> = {
  burnerRole: 'BURNER_ROLE',
  contractUri: 'contractURI',
  locked: 'locked',
  metadataRefresh: 'refreshMetadata',
  owner: 'owner',
  royalties: 'royaltyInfo',
  twoStepAdmin: 'beginDefaultAdminTransfer',
};

/** Returns the record that identifies contracts of a release, with their capabilities. */
export function releaseRecord(version: number, artifact: ReleaseArtifact): Release {
  const { abi, deployedBytecode, immutableReferences, interfaceId } = artifact;
  const functions = new Set(abi.filter(({ type }) => type === 'function').map(({ name }) => name));
  const code = getBytes(deployedBytecode);
  const masked = [...Object.values(immutableReferences).flat(), getSourceDigestRange(code)];
  return {
    version,
    interfaceId,
    size: code.length,
    masked: masked.map(({ start, length }) => ({ start, length })),
    codeHash: computeCodeHash(code, masked),
    capabilities: Object.fromEntries(
      Object.entries(capabilityFunctions).map(([capability, name]) => [capability, functions.has(name)]),
    ) as Release['capabilities'],
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
