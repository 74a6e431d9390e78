import { getMinters } from '../../shared/chain/minters.ts';

/**
 * `npm run minter-addresses`: prints the addresses of the minting accounts in MINTER_KMS_KEYS and MINTER_PRIVATE_KEY.
 * It reads the KMS keys with your AWS credentials. Before an account can mint, the contract must grant it the minter
 * and burner roles, and it needs coins for gas.
 */
for (const { address } of await getMinters()) console.log(address);
