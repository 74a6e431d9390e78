import { getMinters } from '../../shared/chain/minters.ts';

/**
 * `npm run minter-addresses`: prints the addresses of the minting accounts in MINTER_KMS_KEYS (with your AWS
 * credentials) and MINTER_PRIVATE_KEY. They need the contract's roles and coins for gas.
 */
for (const { address } of await getMinters()) console.log(address);
