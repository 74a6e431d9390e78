import type { Currency } from '../core/money.ts';
import { optionalSetting } from '../runtime/config.ts';

const gwei = 10n ** 9n;

/**
 * When a block is final: by the node's `finalized` tag, or at this number of confirmations, of which the block itself
 * is the first.
 */
export type Finality = 'finalized' | number;

/** A chain's parameters for minting and for payments. */
export interface Chain {
  id: number;
  name: string;
  /** The symbol of the native coin, which pays for gas. */
  symbol: string;
  /** When a block is final for minting. */
  finality: Finality;
  /** How long a mint usually takes to become final. */
  finalitySeconds: number;
  /** When a block is final for payments. */
  paymentFinality: Finality;
  /** The highest fee per unit of gas, in wei. It also limits the cost when a node reports wrong fees. */
  feeCeiling: bigint;
  /**
   * Whether gas estimates include the cost of posting calldata to the base chain. That cost varies independently of the
   * called contract.
   */
  estimatesIncludeData?: true;
}

// On rollups a block becomes `finalized` about 15 minutes later, with the base chain. Mints do not wait for it:
// sequencers have not reverted blocks so far, and if one does, the stored transactions are broadcast again and mint the
// same tickets. Payments wait for `finalized` on every public chain: we can't repeat a buyer's payment, and its tickets
// would already be minted.
const chains: readonly Chain[] = [
  {
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    finality: 'finalized',
    finalitySeconds: 900,
    paymentFinality: 'finalized',
    feeCeiling: 300n * gwei,
  },
  {
    id: 10,
    name: 'OP Mainnet',
    symbol: 'ETH',
    finality: 60,
    finalitySeconds: 120,
    paymentFinality: 'finalized',
    feeCeiling: 20n * gwei,
  },
  {
    id: 137,
    name: 'Polygon',
    symbol: 'POL',
    finality: 'finalized',
    finalitySeconds: 5,
    paymentFinality: 'finalized',
    feeCeiling: 3_000n * gwei,
  },
  {
    id: 8453,
    name: 'Base',
    symbol: 'ETH',
    finality: 60,
    finalitySeconds: 120,
    paymentFinality: 'finalized',
    feeCeiling: 20n * gwei,
  },
  {
    id: 42161,
    name: 'Arbitrum One',
    symbol: 'ETH',
    finality: 240,
    finalitySeconds: 60,
    paymentFinality: 'finalized',
    estimatesIncludeData: true,
    feeCeiling: 20n * gwei,
  },
  {
    id: 31337,
    name: 'Development',
    symbol: 'ETH',
    finality: 3,
    finalitySeconds: 1,
    paymentFinality: 3,
    feeCeiling: 300n * gwei,
  },
  {
    id: 80002,
    name: 'Polygon Amoy',
    symbol: 'POL',
    finality: 'finalized',
    finalitySeconds: 5,
    paymentFinality: 'finalized',
    feeCeiling: 3_000n * gwei,
  },
  {
    id: 11155111,
    name: 'Sepolia',
    symbol: 'ETH',
    finality: 'finalized',
    finalitySeconds: 900,
    paymentFinality: 'finalized',
    feeCeiling: 300n * gwei,
  },
];

/** Returns a chain of the table above; undefined for any other chain. */
export function findChain(id: number): Chain | undefined {
  return chains.find((chain) => chain.id === id);
}

/** Returns a chain by its id, with conservative parameters for a chain that is not in the table. */
export function getChain(id: number): Chain {
  return (
    findChain(id) ?? {
      id,
      name: `Chain ${id}`,
      symbol: 'ETH',
      finality: 'finalized',
      finalitySeconds: 900,
      paymentFinality: 'finalized',
      feeCeiling: 300n * gwei,
    }
  );
}

/**
 * Stablecoin contracts, as published by their issuers:
 * https://developers.circle.com/stablecoins/usdc-contract-addresses and https://tether.to/en/supported-protocols
 * All have six decimals, as in money.ts.
 */
const stablecoins: Record<number, Partial<Record<Currency, string>>> = {
  1: {
    USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  },
  10: {
    USDC: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    USDT: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
  },
  137: {
    USDC: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    USDT: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  },
  8453: { USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  42161: {
    USDC: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    USDT: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
  },
  80002: { USDC: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582' },
  11155111: { USDC: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' },
};

/**
 * Returns the contract of a currency's token on a chain; undefined when it is not accepted there. CHAIN_TOKENS
 * overrides the table: `137:USDC=0x…`, comma separated.
 */
export function findTokenContract(chainId: number, currency: Currency): string | undefined {
  const configuredTokens = (optionalSetting('CHAIN_TOKENS') ?? '')
    .split(',')
    .map((entry) => entry.trim().split('='));
  const [, contract] = configuredTokens.find(([name]) => name === `${chainId}:${currency}`) ?? [];
  return contract ?? stablecoins[chainId]?.[currency];
}

/**
 * Returns what a payment in a currency transfers on a chain: the contract of its token, or null for the chain's own
 * coin; undefined when the chain has neither.
 */
export function findPaymentToken(chainId: number, currency: Currency): string | null | undefined {
  return findChain(chainId)?.symbol === currency ? null : findTokenContract(chainId, currency);
}

/** Returns whether orders can be paid on a chain. A stage may mint on a test chain, whose coins are worth nothing. */
export function isPaymentChain(chainId: number): boolean {
  const chains = (optionalSetting('PAYMENT_CHAINS') ?? '').split(',').map((id) => id.trim());
  return chains.includes(`${chainId}`);
}
