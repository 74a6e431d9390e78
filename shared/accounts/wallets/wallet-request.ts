import * as z from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import { walletAddress } from '../../core/schemas.ts';

/** The purposes of a wallet challenge. A message for one purpose is refused for the others. */
export const walletPurposes = ['login', 'link', 'contract'] as const;
export type WalletPurpose = (typeof walletPurposes)[number];

export const walletChallengeRequest = z
  .object({
    address: walletAddress.meta({ description: 'The wallet that will sign the message' }),
    chainId: z
      .int()
      .min(1)
      .meta({ description: 'The chain the wallet is connected to', examples: [137] }),
    purpose: z.enum(walletPurposes).optional().meta({
      description: 'What the signature is for. Default: `link` with an access token, `login` without one',
    }),
  })
  .meta({
    examples: [{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chainId: 137, purpose: 'contract' }],
  });
export type WalletChallengeRequest = z.infer<typeof walletChallengeRequest>;

/** A challenge's message and its signature. Signatures of contract wallets may be long. */
export const signedMessage = z.object({
  message: z.string().max(4_000).meta({ description: 'The message of the challenge, unchanged' }),
  signature: z
    .string()
    .max(20_000)
    .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be hex that starts with 0x')
    .meta({
      description: 'The wallet’s signature of the message, in hex',
      examples: [`0x${'4a'.repeat(65)}`],
    }),
});

export type SignedMessage = z.infer<typeof signedMessage>;

export const walletChallengeView = z.object({
  message: z
    .string()
    .meta({ description: 'An EIP-4361 message for the wallet to sign, valid for 10 minutes' }),
});

/** The error codes for a signed message. */
export const signatureErrorCodes = [
  'invalid-signature',
  'too-many-attempts',
  'unavailable',
] as const satisfies ErrorCode[];
