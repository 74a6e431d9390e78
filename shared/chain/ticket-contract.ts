// Generated from infra/contracts by `npm run compile-contract`. Do not edit.

/** The parts of the ticket contract that services use, as described in docs/contract.md. */
export const ticketContractAbi = [
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721InvalidReceiver(address receiver)',
  'error InvalidQuantity(uint256 quantity)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'function MINTER_ROLE() view returns (bytes32)',
  'function balanceOf(address owner) view returns (uint256)',
  'function burn(address holder, uint256[] tokenIds)',
  'function firstTokenId(bytes32 orderKey) pure returns (uint256)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function lock(uint256[] tokenIds)',
  'function mintOrder(bytes32 orderKey, address to, uint256 quantity)',
  'function mintOrders((bytes32 orderKey, address to, uint256 quantity)[] orders)',
  'function mintedQuantity(bytes32 orderKey) view returns (uint256)',
  'function name() view returns (string)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function refreshMetadata(uint256 fromTokenId, uint256 toTokenId)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function transfersAllowed() view returns (bool)',
] as const;

/** The ERC-165 interface id by which supportsInterface identifies a ticket contract. */
export const ticketInterfaceId = '0x205c2c3f';

/**
 * The runtime code of the ticket contract: its size in bytes, the ranges that differ between deployments, and the
 * keccak256 of the code with zeros in these ranges.
 */
export const compiledCode = {
  size: 12525,
  masked: [{ start: 12482, length: 32 }],
  codeHash: '0x63a93b117c58b07b640e4605c9fc040d7b27b5c3e1bd69368b4d2cb7eda59974',
};

/** The creation code of the ticket contract, described in the same way. A deployment appends the constructor's arguments. */
export const compiledCreationCode = {
  size: 14333,
  masked: [{ start: 14290, length: 32 }],
  codeHash: '0xd9c2b7660919c0bfba890d2930c9389d1f3ed9c644fbea673f3b3786411213bd',
};
