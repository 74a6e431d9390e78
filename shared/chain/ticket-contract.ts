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
  'function mintOrder(bytes32 orderKey, address to, uint256 quantity)',
  'function mintOrders((bytes32 orderKey, address to, uint256 quantity)[] orders)',
  'function mintedQuantity(bytes32 orderKey) view returns (uint256)',
  'function name() view returns (string)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function transfersAllowed() view returns (bool)',
] as const;

/** The ERC-165 interface id by which supportsInterface identifies a ticket contract. */
export const ticketInterfaceId = '0xcc75e026';

/**
 * The runtime code of the ticket contract: its size in bytes, the ranges that differ between deployments, and the
 * keccak256 of the code with zeros in these ranges.
 */
export const compiledCode = {
  size: 10887,
  masked: [{ start: 10844, length: 32 }],
  codeHash: '0x568289166dd033380254ef019efb941037e5a9bb5a6f617cfaaacae2d8902cdc',
};
