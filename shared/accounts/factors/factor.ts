import * as z from 'zod';
import { time } from '../../core/schemas.ts';

/** The second factors of an account as they are stored and as the API shows them. */

const name = z.string().trim().min(1).max(60).meta({ description: 'A name that tells passkeys apart' });

export const passkeyView = z
  .object({
    id: z.string().meta({ description: 'The id of the credential, in base64url' }),
    name: z.string(),
    createdAt: time,
    lastUsedAt: time.nullable(),
    backedUp: z.boolean().meta({ description: 'Whether the passkey is synchronized to other devices' }),
  })
  .meta({ id: 'Passkey' });

const passkey = passkeyView.extend({
  userId: z.string(),
  publicKey: z.instanceof(Uint8Array),
  /** The authenticator's count of signatures; 0 where it does not count. */
  counter: z.number(),
  transports: z.array(z.string()).optional(),
});
export type Passkey = z.infer<typeof passkey>;

const totp = z.object({
  secret: z.instanceof(Uint8Array),
  isActive: z.boolean(),
  /** The time step of the last accepted code: each code is accepted once. */
  lastStep: z.number(),
});
export type Totp = z.infer<typeof totp>;

export const toPasskeyView = (passkey: Passkey) => passkeyView.parse(passkey);
export const toPasskey = (item: unknown): Passkey => passkey.parse(item);
export const toTotp = (item: unknown): Totp => totp.parse(item);

/** The ways to prove who one is, besides a wallet. */
export const proofMethods = ['passkey', 'totp', 'recovery-code', 'password'] as const;
export type ProofMethod = (typeof proofMethods)[number];

/** The attempts of an account to prove who its user is. Successful ones count too. */
export const proofLimit = {
  maximum: 10,
  windowSeconds: 15 * 60,
  message: 'Too many tries, please try again later',
};

/** The second factors of an account. */
export interface Factors {
  passkeys: Passkey[];
  /** The authenticator app; absent until it is activated. */
  totp: Totp | undefined;
  recoveryCodes: number;
}

/** Returns the methods that log an account in after its password; none for an account without a second factor. */
export function secondFactorsOf({ passkeys, totp, recoveryCodes }: Factors): ProofMethod[] {
  const methods: ProofMethod[] = [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(totp ? (['totp'] as const) : []),
  ];
  return methods.length > 0 && recoveryCodes > 0 ? [...methods, 'recovery-code'] : methods;
}

/** Returns the methods that confirm a session. The password alone does not confirm an account with a second factor. */
export function confirmationsOf(factors: Factors): ProofMethod[] {
  const methods = secondFactorsOf(factors);
  return methods.length > 0 ? methods : ['password'];
}

const base64url = z
  .string()
  .max(10_000)
  .meta({ description: 'Bytes in base64url, as the browser returns them', examples: ['e30'] });
/** A sort key has at most 1,024 bytes. Authenticators of passkeys make ids of some dozen. */
const maximumIdCharacters = 900;
const credentialId = z
  .string()
  .max(maximumIdCharacters)
  .regex(/^[\w-]*$/, 'must be base64url')
  .meta({ description: 'The id of the credential, in base64url', examples: ['kWtN3vSx'] });
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key').meta({ description: 'The type of the credential' }),
  authenticatorAttachment: z
    .enum(['platform', 'cross-platform'])
    .optional()
    .catch(undefined)
    .meta({ description: 'Where the authenticator is' }),
  clientExtensionResults: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'The results of extensions; the service uses none' }),
};
const exampleCredential = { id: 'kWtN3vSx', rawId: 'kWtN3vSx', type: 'public-key' };

/** What `navigator.credentials.create` returns, as JSON of WebAuthn level 3. */
export const registrationResponse = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: z
          .array(z.string().max(40))
          .max(10)
          .optional()
          .meta({ description: 'How a browser reaches the authenticator' }),
      })
      .meta({ description: 'The response of the authenticator' }),
  })
  .meta({ description: 'What `navigator.credentials.create` returns, as JSON of WebAuthn level 3' });
export type RegistrationResponse = z.infer<typeof registrationResponse>;

/** What `navigator.credentials.get` returns, as JSON of WebAuthn level 3. */
export const authenticationResponse = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        // At most 64 bytes, as WebAuthn has it.
        userHandle: base64url.max(88).nullish(),
      })
      .meta({ description: 'The response of the authenticator' }),
  })
  .meta({ description: 'What `navigator.credentials.get` returns, as JSON of WebAuthn level 3' });
export type AuthenticationResponse = z.infer<typeof authenticationResponse>;

export const passkeyRegistration = z.object({ name: name.optional(), response: registrationResponse }).meta({
  examples: [
    {
      name: 'Phone',
      response: { ...exampleCredential, response: { clientDataJSON: 'e30', attestationObject: 'e30' } },
    },
  ],
});
export const passkeyLogin = z.object({ response: authenticationResponse }).meta({
  examples: [
    {
      response: {
        ...exampleCredential,
        response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30', userHandle: 'dXNlcg' },
      },
    },
  ],
});
export const passkeyChange = z.object({ name }).meta({ examples: [{ name: 'Phone' }] });

const code = z
  .string()
  .regex(/^\d{6}$/, 'must be six digits')
  .meta({ description: 'The code of the authenticator app' });
export const totpActivation = z.object({ code }).meta({ examples: [{ code: '287082' }] });

/** One proof: a request names exactly one. */
const proofs = {
  code: code.optional(),
  recoveryCode: z
    .string()
    .max(40)
    .optional()
    .meta({ description: 'One of the recovery codes; it works once' }),
  response: authenticationResponse.optional(),
};
const hasOne = (body: object) => Object.values(body).filter((value) => value !== undefined).length === 1;
const needsOne = 'Send one of the ways to confirm';

export const secondFactorLogin = z
  .object({
    challenge: z.string().max(100).meta({ description: 'The challenge of `POST /api/auth/login`' }),
    ...proofs,
  })
  .refine(({ challenge: _, ...rest }) => hasOne(rest), needsOne)
  .meta({ examples: [{ challenge: 'fQwR7s1kXo2mTz8yB0nC4uJ6hLd9aVgE3pIxW5rKtSU', code: '287082' }] });
export type Proof = Pick<z.infer<typeof secondFactorLogin>, 'code' | 'recoveryCode' | 'response'>;

export const confirmation = z
  .object({
    password: z.string().min(1).optional().meta({ description: 'For accounts without a second factor' }),
    ...proofs,
  })
  .refine(hasOne, needsOne)
  .meta({ examples: [{ password: 'battery staple' }] });
export type Confirmation = z.infer<typeof confirmation>;

/** The options of WebAuthn, as JSON. A library in the browser reads them. */
export const webAuthnOptionsView = z.object({
  options: z.looseObject({ challenge: z.string() }).meta({
    description: 'For `navigator.credentials`, as JSON of WebAuthn level 3',
  }),
});
export const recoveryCodesView = z.array(z.string()).meta({
  description: 'Ten codes, each for one login without the other factors. They are shown once',
});
export const passkeyPath = z.object({
  id: z
    .string()
    .max(maximumIdCharacters)
    .regex(/^[\w-]+$/, 'must be the id of a passkey')
    .meta({ description: 'The id of the passkey' }),
});
