// Generated from infra/contracts by `npm run compile-contract`. Do not edit.

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
  {
    version: 1,
    interfaceId: '0xcc75e026',
    size: 6923,
    masked: [{ start: 6880, length: 32 }],
    codeHash: '0xa099cdcdf491871cbc878b7cb1247976a6ad3a1c929faef1b33dbb91784410c9',
    capabilities: {
      burnerRole: false,
      contractUri: false,
      locked: false,
      metadataRefresh: false,
      owner: false,
      royalties: false,
      twoStepAdmin: false,
    },
  },
  {
    version: 2,
    interfaceId: '0xcc75e026',
    size: 10887,
    masked: [{ start: 10844, length: 32 }],
    codeHash: '0x568289166dd033380254ef019efb941037e5a9bb5a6f617cfaaacae2d8902cdc',
    capabilities: {
      burnerRole: true,
      contractUri: true,
      locked: true,
      metadataRefresh: true,
      owner: true,
      royalties: true,
      twoStepAdmin: true,
    },
  },
];
