// Generated from infra/contracts by `npm run compile-contract`. Do not edit.

/**
 * The runtime code of the ticket contract: its size in bytes, the ranges that differ between deployments, and the
 * keccak256 of the code with zeros in these ranges.
 */
export const compiledCode = {
  size: 10887,
  masked: [{ start: 10844, length: 32 }],
  codeHash: '0x568289166dd033380254ef019efb941037e5a9bb5a6f617cfaaacae2d8902cdc',
};
