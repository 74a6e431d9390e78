const gwei = 10n ** 9n;

/** What minting has to know of a chain. */
export interface Chain {
  id: number;
  name: string;
  /** The coin that pays for gas. */
  symbol: string;
  /** From when on a block counts as final: the chain's own word, or how many blocks it takes, itself included. */
  finality: 'finalized' | number;
  /** How long a transaction usually takes to be final. */
  finalSeconds: number;
  /** The most one unit of gas may cost, in wei; also guards against an endpoint that names absurd fees. */
  feeCeiling: bigint;
}

// On the rollups `finalized` waits a quarter of an hour for their base chain. Their sequencers have not taken
// blocks back, and if one did, the same transactions would be sent again and make the same tickets.
const chains: readonly Chain[] = [
  {
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    finality: 'finalized',
    finalSeconds: 900,
    feeCeiling: 300n * gwei,
  },
  { id: 10, name: 'OP Mainnet', symbol: 'ETH', finality: 60, finalSeconds: 120, feeCeiling: 20n * gwei },
  {
    id: 137,
    name: 'Polygon',
    symbol: 'POL',
    finality: 'finalized',
    finalSeconds: 5,
    feeCeiling: 3_000n * gwei,
  },
  { id: 8453, name: 'Base', symbol: 'ETH', finality: 60, finalSeconds: 120, feeCeiling: 20n * gwei },
  { id: 42161, name: 'Arbitrum One', symbol: 'ETH', finality: 240, finalSeconds: 60, feeCeiling: 20n * gwei },
  { id: 31337, name: 'Development', symbol: 'ETH', finality: 3, finalSeconds: 1, feeCeiling: 300n * gwei },
  {
    id: 80002,
    name: 'Polygon Amoy',
    symbol: 'POL',
    finality: 'finalized',
    finalSeconds: 5,
    feeCeiling: 3_000n * gwei,
  },
  {
    id: 11155111,
    name: 'Sepolia',
    symbol: 'ETH',
    finality: 'finalized',
    finalSeconds: 900,
    feeCeiling: 300n * gwei,
  },
];

/** A chain of the table. */
export function knownChain(id: number): Chain | undefined {
  return chains.find((chain) => chain.id === id);
}

/** A chain by its id. One that is not in the table takes part by configuration alone, with cautious values. */
export function chainOf(id: number): Chain {
  return (
    knownChain(id) ?? {
      id,
      name: `Chain ${id}`,
      symbol: 'ETH',
      finality: 'finalized',
      finalSeconds: 900,
      feeCeiling: 300n * gwei,
    }
  );
}
