import { getAddress } from 'ethers/address';
import * as z from 'zod';

const zeroAddress = `0x${'0'.repeat(40)}`;

/**
 * Converts an EVM address to the mixed-case checksum form of ERC-55.
 * @returns undefined for text that is not an address, or is mixed-case with an invalid checksum
 */
export function checksumAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  try {
    return getAddress(text);
  } catch {
    return undefined;
  }
}

/** A schema that converts an address to its checksum form. It refuses the zero address, which no one can own. */
export const walletAddress = z
  .string()
  .meta({
    description: 'An EVM address. In mixed case it must have a valid ERC-55 checksum',
    examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  })
  .transform((text, context) => {
    const address = checksumAddress(text);
    if (address && address !== zeroAddress) return address;
    context.addIssue({ code: 'custom', message: 'must be a valid address' });
    return z.NEVER;
  });
