import { getMinters } from '../../shared/chain/minters.ts';

/**
 * Prints the addresses of the minting accounts. It reads the KMS keys with your AWS credentials. Before an account can
 * mint, the contract must grant it the minter and burner roles, and it needs coins for gas.
 */
export async function printMinterAddresses(): Promise<void> {
  for (const { address } of await getMinters()) console.log(address);
}
