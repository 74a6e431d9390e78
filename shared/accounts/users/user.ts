import * as z from 'zod';
import {
  accountRoles,
  address,
  filledText,
  identifier,
  languageInput,
  languages,
  roles,
  walletAddress,
} from '../../core/schemas.ts';

const kycStatuses = ['NONE', 'PENDING', 'VERIFIED', 'REJECTED'] as const;

/** A user as the API shows it. */
export const userView = z
  .object({
    id: identifier,
    email: z.string().meta({ format: 'email', examples: ['ben@example.com'] }),
    name: z.string().meta({ examples: ['Ben Buyer'] }),
    role: z.enum(roles).meta({
      description:
        'The role of the account; `GUEST` for somebody who bought without one. Roles at an event are separate',
    }),
    walletAddress: address.nullable().meta({ description: 'Where tickets are minted to' }),
    walletVerified: z
      .boolean()
      .meta({ description: 'Whether the user proved that `walletAddress` is theirs, by linking it' }),
    kycStatus: z
      .enum(kycStatuses)
      .meta({ description: 'Events with `requireKYC` sell to `VERIFIED` users only' }),
    emailVerified: z.boolean().meta({ description: 'Whether the user has confirmed the e-mail address' }),
    language: z
      .enum(languages)
      .optional()
      .meta({ description: 'The language of mails about the account; absent: `en`' }),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userView>;

/** The address that an account had before, and how it comes back when the change is undone. */
const previousAddress = z.object({
  email: z.string(),
  ownsAddress: z.boolean().optional(),
  /** The guest of the address, which is no longer the guest of the address after the change. */
  guestId: z.string().optional(),
  /** Whether the account had the orders of a guest. */
  hadGuest: z.boolean(),
  /** Until when the user is mailed there about what happens, ISO 8601 in UTC. */
  mailedUntil: z.string(),
  /** Until when the change can be undone, ISO 8601 in UTC. */
  until: z.string(),
});
export type PreviousAddress = z.infer<typeof previousAddress>;

/** A user as it is stored. The password hash is in a separate item. */
const user = userView.omit({ walletVerified: true }).extend({
  walletAddress: address.nullable().default(null),
  emailVerified: z.boolean().default(false),
  /**
   * Whether the account belongs to the owner of its address: the address was confirmed in a session of the account, or
   * the password was set by a mailed link. Otherwise somebody else may have registered with the address.
   */
  ownsAddress: z.boolean().optional(),
  /**
   * From when the account has the roles of its address at events, ISO 8601 in UTC: once the access tokens from before the reset
   * by which it got its owner have expired.
   */
  rolesFrom: z.string().optional(),
  /** The wallet that the user has proved to own, checksummed. */
  linkedWallet: address.optional(),
  /** The guest with the account's address, whose orders were added to the account. */
  guestId: z.string().optional(),
  /** The version of the guest's access tokens when the orders were last added: orders placed since are not the account's. */
  guestVersion: z.number().optional(),
  /** Payouts are not sent before, since the second factors were reset. ISO 8601 in UTC. */
  payoutsHeldUntil: z.string().optional(),
  /** When a second factor was last removed, ISO 8601 in UTC. */
  factorRemovedAt: z.string().optional(),
  previousAddress: previousAddress.optional(),
});
export type StoredUser = z.infer<typeof user>;

/** Parses a stored item as a user with the linked wallet. @throws ZodError for any other item */
export function toUserWithWallet(item: unknown): { user: User; linkedWallet: string | undefined } {
  const { linkedWallet, walletAddress, ...stored } = user.parse(item);
  const walletVerified = linkedWallet !== undefined && linkedWallet === walletAddress;
  return { user: userView.parse({ ...stored, walletAddress, walletVerified }), linkedWallet };
}

/** Parses a stored item as a user. @throws ZodError for any other item */
export function toUser(item: unknown): User {
  return toUserWithWallet(item).user;
}

/** Returns whether a user has closed the account. Access tokens issued before may still be valid for minutes. */
export function isClosed({ email }: User): boolean {
  return email === '';
}

const sessionFields = z.object({
  sessionVersion: z.number().default(0),
  guestId: z.string().optional(),
  guestVersion: z.number().optional(),
  ownsAddress: z.boolean().default(false),
  rolesFrom: z.string().optional(),
  previousAddress: previousAddress.optional(),
  /** How many passkeys were ever added, removed ones too. */
  passkeysAdded: z.number().optional(),
  /** How many events the user has created, and how often one was put on sale by a change. */
  eventsOpened: z.number().optional(),
});

/**
 * A user with what the API does not show: the version of their sessions, the guest that belongs to the account, whether
 * the account belongs to the owner of its address, and counts by which concurrent changes exclude each other.
 */
export type SessionOwner = { user: User } & z.infer<typeof sessionFields>;

/** Parses a stored item as the owner of sessions. @throws ZodError for any other item */
export function toSessionOwner(item: unknown): SessionOwner {
  return { user: toUser(item), ...sessionFields.parse(item) };
}

/**
 * Returns the address to which a user is mailed about what happened at a time (ISO 8601 in UTC): that of the time, since somebody
 * else may have changed it at once.
 */
export function addressAt({ user, previousAddress }: SessionOwner, time: string): string {
  return previousAddress && time < previousAddress.mailedUntil ? previousAddress.email : user.email;
}

/** An e-mail address, trimmed and in lower case. */
export const email = z
  .string({ error: 'Invalid email format' })
  .trim()
  .toLowerCase()
  .max(254, 'Invalid email format')
  .pipe(z.email('Invalid email format'))
  .meta({ description: 'An e-mail address. Stored without surrounding space and in lower case' });

const name = filledText(100).meta({ description: 'The person’s name, as tickets and mails show it' });

/** The maximum length of a password: bcrypt ignores further bytes. */
export const maximumPasswordBytes = 72;

const newPassword = z
  .string()
  .meta({ description: '8 to 72 bytes; one character may take up to 4' })
  .refine((text) => Buffer.byteLength(text) >= 8, 'Password must have at least 8 bytes')
  .refine(
    (text) => Buffer.byteLength(text) <= maximumPasswordBytes,
    `Password must have at most ${maximumPasswordBytes} bytes`,
  );

export const registration = z
  .object({
    email,
    password: newPassword,
    name,
    role: z
      .enum(['USER', 'ORGANIZER'])
      .default('USER')
      .meta({ description: '`USER` buys tickets; `ORGANIZER` also sells them' }),
    walletAddress: walletAddress
      .nullish()
      .transform((address) => address ?? null)
      .meta({
        description:
          'The wallet that tickets are minted to. Without a wallet, they are minted once one is set',
      }),
    language: languageInput('The language of mails about the account', '`en`'),
  })
  .meta({
    examples: [{ email: 'ben@example.com', password: 'battery staple', name: 'Ben Buyer', role: 'USER' }],
  });
export type Registration = z.infer<typeof registration>;

export const credentials = z
  .object({
    email,
    password: z
      .string({ error: 'Password is required' })
      .min(1, 'Password is required')
      .meta({ description: 'The password of the account' }),
  })
  .meta({ examples: [{ email: 'ben@example.com', password: 'battery staple' }] });
export type Credentials = z.infer<typeof credentials>;

export const passwordChange = z
  .object({
    currentPassword: z.string().min(1).meta({ description: 'The password that the account has now' }),
    password: newPassword,
  })
  .meta({ examples: [{ currentPassword: 'battery staple', password: 'correct horse' }] });
export type PasswordChange = z.infer<typeof passwordChange>;

export const passwordResetRequest = z.object({ email }).meta({ examples: [{ email: 'ben@example.com' }] });

/** The token of a link in a mail. */
const linkToken = z.string().max(2_000).meta({ description: 'The token of the link in the mail' });

export const passwordReset = z
  .object({ token: linkToken, password: newPassword })
  .meta({ examples: [{ token: 'fQwR7s1kXo2mTz8yB0nC4uJ6hLd9aVgE3pIxW5rKtSU', password: 'correct horse' }] });
export type PasswordReset = z.infer<typeof passwordReset>;

export const emailConfirmation = z
  .object({ token: linkToken })
  .meta({ examples: [{ token: 'zwwSGajNOMY7UCt4dqZKW7e7RqP8SgyH_ISBEMvlXFg' }] });

export const profileChange = z
  .object({
    name: name.optional(),
    walletAddress: walletAddress
      .nullable()
      .optional()
      .meta({ description: 'The wallet that tickets are minted to; null removes it' }),
    language: languageInput('The language of mails about the account', 'unchanged'),
  })
  .meta({ examples: [{ walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }] });

export const emailChange = z.object({ email }).meta({ examples: [{ email: 'ben@example.org' }] });
export const emailChangeLink = z
  .object({ token: linkToken })
  .meta({ examples: [{ token: 'K3nZ0vWq8mYt5RbA1xLc7sHd2uEfGjPo4iTkNyVwQe9' }] });

export const kycDecision = z
  .object({
    status: z
      .enum(kycStatuses)
      .meta({ description: '`VERIFIED` allows purchases at events that require it' }),
  })
  .meta({ examples: [{ status: 'VERIFIED' }] });

export const roleGrant = z.object({ email, role: z.enum(accountRoles) });
export type RoleGrant = z.infer<typeof roleGrant>;

const token = z
  .string()
  .meta({ description: 'The access token: valid for 15 minutes, sent as `Authorization: Bearer …`' });

/** The response to a registration or a login. */
export const signedInView = z.object({
  message: z.string().meta({ examples: ['Login successful'] }),
  token,
  user: userView,
});

/** The response to the password of an account with a second factor. */
export const loginChallengeView = z.object({
  challenge: z.string().meta({ description: 'Valid for five minutes' }),
  methods: z.array(z.enum(['passkey', 'totp', 'recovery-code', 'password'])),
});

export type LoginChallenge = z.infer<typeof loginChallengeView>;

/** A user with the tokens of a new session. */
export interface SignedIn {
  user: User;
  token: string;
  refreshToken: string;
}

/** The response to a wallet's signature, which links the wallet or logs its user in. */
export const walletVerifiedView = signedInView.partial({ message: true, token: true });

export const accessTokenView = z.object({ token });
