import * as z from 'zod';
import { signedMessage } from '../../accounts/wallets/wallet-request.ts';
import { address, identifier, time, toView, walletAddress } from '../../core/schemas.ts';
import type { ContractBinding } from './contract.ts';

export const contractPath = z.object({
  chainId: z.coerce
    .number()
    .int()
    .min(1)
    .meta({ description: 'The EIP-155 id of the contract’s chain', examples: [137] }),
  address: walletAddress.meta({ description: 'The address of the contract' }),
});

/** An organizer's request to bind a contract, signed by one of the contract's admin wallets. */
export const contractVerificationRequest = signedMessage.extend({
  chainId: z
    .int()
    .min(1)
    .meta({ description: 'The EIP-155 id of the contract’s chain', examples: [137] }),
  address: walletAddress.meta({ description: 'The address of the contract' }),
});
export type ContractVerificationRequest = z.infer<typeof contractVerificationRequest>;

/** Identifies the organizer when an ADMIN grants or revokes the permission to mint on a contract. */
export const contractAssignment = z.object({
  organizerId: z
    .string()
    .min(1)
    .max(64)
    .meta({
      description: 'The organizer who may use the contract',
      examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab'],
    }),
});

export const contractBindingView = z
  .object({
    chainId: z.int().meta({ examples: [137] }),
    address,
    organizerId: identifier.meta({ description: 'The organizer who may use the contract' }),
    wallet: address.nullable().meta({
      description:
        'The contract’s admin wallet that the organizer proved to own; null when the organizer proved none',
    }),
    updatedAt: time,
  })
  .meta({ id: 'ContractBinding' });

/** Returns a binding as API responses contain it. */
export function toContractBindingView(binding: ContractBinding): z.infer<typeof contractBindingView> {
  return toView(contractBindingView, binding, {});
}
