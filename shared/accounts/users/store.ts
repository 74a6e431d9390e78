import * as z from 'zod';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { hashEmail } from '../../core/ids.ts';
import { absent, expectUnchanged } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { check, put, remove, toCondition, update, type Write, write } from '../../dynamo/write.ts';
import {
  type SessionOwner,
  type StoredUser,
  toSessionOwner,
  toUser,
  toUserWithWallet,
  type User,
} from './user.ts';

/**
 * Returns the write that creates a user. Write it together with the credential, whose condition makes the e-mail
 * unique.
 */
export function insertUser(user: Omit<User, 'walletVerified'>, timestamp: string): Write {
  return put({ ...keys.user(user.id), ...user, createdAt: timestamp, updatedAt: timestamp });
}

export async function findUser(id: string): Promise<User | undefined> {
  const item = await getItem(keys.user(id));
  return item && toUser(item);
}

/** Finds a user with the version of the user's current sessions. */
export async function findSessionOwner(id: string): Promise<SessionOwner | undefined> {
  const item = await getItem(keys.user(id));
  return item && toSessionOwner(item);
}

/** Finds a user whose account belongs to the owner of its address, and to nobody who has an earlier access token of it. */
export async function findAddressOwner(id: string): Promise<User | undefined> {
  const { user, ownsAddress, rolesFrom = '' } = (await findSessionOwner(id)) ?? {};
  return ownsAddress && user?.emailVerified && rolesFrom <= new Date().toISOString() ? user : undefined;
}

/** Returns a user with the version of their sessions. @throws DomainError 404 for an unknown id */
export async function getSessionOwner(id: string): Promise<SessionOwner> {
  const owner = await findSessionOwner(id);
  if (!owner) throw notFound('User');
  return owner;
}

/** Returns a user. @throws DomainError 404 for an unknown id */
export async function getUser(id: string): Promise<User> {
  const user = await findUser(id);
  if (!user) throw notFound('User');
  return user;
}

/**
 * Returns the write that changes a user's role or KYC status.
 * @throws DomainError 409 with Retry-After from the write, after a concurrent change of the same fields
 */
export function updateUser(
  user: User,
  change: Partial<Pick<User, 'role' | 'kycStatus'>>,
  timestamp: string,
): Write {
  const names = Object.keys(change) as (keyof typeof change)[];
  return update(
    keys.user(user.id),
    { set: { ...change, updatedAt: timestamp } },
    {
      when: names.map((name) => `#${name} = :${name}`).join(' AND '),
      values: Object.fromEntries(names.map((name) => [name, user[name]])),
      orThrow: () => conflict('busy', 'The user has just been changed. Please try again.', 1),
    },
  );
}

/** Changes a user. @throws DomainError 404 for an unknown id */
export async function changeUser(id: string, change: Partial<StoredUser>, timestamp: string): Promise<User> {
  const condition = { when: 'attribute_exists(#pk)', orThrow: () => notFound('User') };
  return toUser(await write(update(keys.user(id), { set: { ...change, updatedAt: timestamp } }, condition)));
}

/**
 * Returns the write that changes a user whose sessions have not ended meanwhile.
 * @param version the version of the sessions as it was read
 * @throws `sessionEnded` from the transaction
 */
export function changeUserInSession(
  id: string,
  change: Partial<StoredUser>,
  version: number,
  sessionEnded: Error,
): Write {
  const set = { ...change, updatedAt: new Date().toISOString() };
  return update(keys.user(id), { set }, { ...whenSessionVersionIs(version), orThrow: () => sessionEnded });
}

const whenSessionVersionIs = (version: number) => ({
  when: `${version === 0 ? 'attribute_not_exists(#sessionVersion) OR ' : ''}#sessionVersion = :version`,
  values: { version },
});

/**
 * Returns the write that ends all sessions of a user, by incrementing `sessionVersion`. Write it together with the
 * credential, which has a copy of the version.
 * @param change changes of other attributes, for the same write
 * @throws DomainError 404 from the transaction, for an unknown id
 */
export function endSessions(id: string, timestamp: string, change: Partial<StoredUser> = {}): Write {
  return update(
    keys.user(id),
    { set: { ...change, updatedAt: timestamp }, add: { sessionVersion: 1 } },
    { when: 'attribute_exists(#pk)', orThrow: () => notFound('User') },
  );
}

/**
 * Returns the write that counts an event which is created or put on sale for a user whose account is not closed.
 * @throws DomainError 403 from the transaction, for a closed account
 */
export function countOpenedEvent(id: string): Write {
  return update(
    keys.user(id),
    { add: { eventsOpened: 1 } },
    { when: 'attribute_exists(#pk) AND #email <> :closed', values: { closed: '' }, orThrow: accountClosed },
  );
}

/** The error for an event whose organizer has closed the account: nobody could be paid for its tickets. */
export const accountClosed = () => forbidden('The organizer of the event has closed the account');

/**
 * Returns the write that closes an account and ends its sessions, unless an event of it was created or put on sale meanwhile.
 * @param owner the account as it was read, before its events were
 * @param change changes of other attributes, for the same write
 * @throws DomainError 409 `busy` from the transaction
 */
export function closeAccount(
  { user: { id }, eventsOpened }: SessionOwner,
  timestamp: string,
  change: Partial<StoredUser>,
): Write {
  return update(
    keys.user(id),
    { set: { ...change, updatedAt: timestamp }, add: { sessionVersion: 1 } },
    {
      ...toCondition<SessionOwner>([], { eventsOpened: eventsOpened ?? absent }),
      orThrow: () => conflict('busy', 'An event has just been opened. Please try again.', 1),
    },
  );
}

/**
 * Returns the check that a user's sessions have not ended.
 * @param version the version of the sessions as it was read
 * @throws `sessionEnded` from the transaction
 */
export function requireSessionVersion(id: string, version: number, sessionEnded: Error): Write {
  return check(keys.user(id), { ...whenSessionVersionIs(version), orThrow: () => sessionEnded });
}

/** A passkey was added to the account since it was read. */
export class PasskeyAdded extends Error {}

/**
 * Returns the write that counts a passkey which is added to an account, in a session that has not ended. Concurrent additions
 * exclude each other, so that a decision by the passkeys that an account has holds when the next one is stored.
 * @param owner the account as it was read, before its passkeys were
 * @throws `sessionEnded` from the transaction; PasskeyAdded after another addition
 */
export function countPasskey(
  id: string,
  { sessionVersion, passkeysAdded }: Pick<SessionOwner, 'sessionVersion' | 'passkeysAdded'>,
  sessionEnded: Error,
): Write {
  const inSession = whenSessionVersionIs(sessionVersion);
  const isCurrent = toCondition<SessionOwner>([], { passkeysAdded: passkeysAdded ?? absent });
  return update(
    keys.user(id),
    { add: { passkeysAdded: 1 } },
    {
      when: `(${inSession.when}) AND ${isCurrent.when}`,
      values: { ...inSession.values, ...isCurrent.values },
      orThrow: (item) =>
        Number(item?.sessionVersion ?? 0) === sessionVersion ? new PasskeyAdded() : sessionEnded,
    },
  );
}

/** How a user's wallet is cleared. */
export interface WalletClearing {
  /**
   * Whether all sessions end, as by `endSessions`: the account then has a new password, and belongs to the owner of the
   * address.
   */
  endsSessions: boolean;
  /** Changes of other attributes, for the same write; also of `ownsAddress`, in place of what `endsSessions` sets. */
  change?: Partial<
    Pick<
      StoredUser,
      | 'payoutsHeldUntil'
      | 'email'
      | 'ownsAddress'
      | 'rolesFrom'
      | 'previousAddress'
      | 'guestId'
      | 'guestVersion'
    >
  >;
}

/**
 * Returns the write that confirms a user's address and clears the wallet, entered or linked.
 * @param linkedWallet the linked wallet as it was read; `removeWallet` belongs in the same transaction
 * @throws UserChanged from the transaction, when the user has another linked wallet meanwhile
 */
export function confirmAndClearWallet(
  id: string,
  linkedWallet: string | undefined,
  { endsSessions, change = {} }: WalletClearing,
): Write {
  const cleared = {
    emailVerified: true,
    ...(endsSessions && { ownsAddress: true }),
    ...change,
    walletAddress: null,
    linkedWallet: undefined,
  };
  return update(
    keys.user(id),
    {
      set: { ...cleared, updatedAt: new Date().toISOString() },
      ...(endsSessions && { add: { sessionVersion: 1 } }),
    },
    whenLinkedWalletIs(id, linkedWallet),
  );
}

/**
 * Returns the write that adds a guest's orders to the account of the same address.
 * @throws DomainError from the transaction: 403 unless the account belongs to the owner of the address; 409
 * `other-orders-attached` when it has the orders of the guest of an earlier address
 */
export function linkGuest({ id, email }: User, guestId: string, guestVersion: number): Write {
  const owns = toCondition<StoredUser>([], { email, emailVerified: true, ownsAddress: true });
  return update(
    keys.user(id),
    { set: { guestId, guestVersion, updatedAt: new Date().toISOString() } },
    {
      when: `${owns.when} AND (attribute_not_exists(#guestId) OR #guestId = :guestId)`,
      values: { ...owns.values, guestId },
      orThrow: (item) =>
        item?.guestId === undefined || item.guestId === guestId
          ? addressNotConfirmed()
          : conflict(
              'other-orders-attached',
              'Your account has the orders of your earlier address. Please open these by the links that we mail you.',
            ),
    },
  );
}

/**
 * Returns the write that gives a user another address.
 * @throws DomainError 409 `busy` from the transaction, when the user has yet another address or another guest meanwhile
 */
export function changeAddress(
  { user: { id, email }, guestId }: SessionOwner,
  change: Pick<StoredUser, 'email' | 'ownsAddress' | 'previousAddress'>,
): Write {
  return update(
    keys.user(id),
    { set: { ...change, emailVerified: true, updatedAt: new Date().toISOString() } },
    {
      ...toCondition<StoredUser>([], { email, ...expectUnchanged({ guestId }, 'guestId') }),
      orThrow: () => conflict('busy', 'The account has just been changed. Please try again.', 1),
    },
  );
}

/** The user's payouts are held: their second factors were reset. */
export class PayoutsHeld extends Error {
  /** ISO 8601 in UTC. */
  readonly until: string;
  constructor(until: string) {
    super(`Payouts are held until ${until}`);
    this.until = until;
  }
}

/** Returns the check that a user's payouts are not held. @throws PayoutsHeld from the transaction */
export function requireNoHold(id: string): Write {
  return check(keys.user(id), {
    when: 'attribute_not_exists(#payoutsHeldUntil) OR #payoutsHeldUntil <= :now',
    values: { now: new Date().toISOString() },
    orThrow: (item) => new PayoutsHeld(String(item?.payoutsHeldUntil)),
  });
}

/** The user's linked wallet has changed since it was read. */
export class UserChanged extends Error {}

/** Returns a user with their linked wallet. @throws DomainError 404 for an unknown id */
export async function getUserWithWallet(id: string) {
  const item = await getItem(keys.user(id));
  if (!item) throw notFound('User');
  return toUserWithWallet(item);
}

/**
 * Returns the write that changes a user's linked wallet.
 * @param previous the linked wallet as it was read
 * @param version the version of the sessions as it was read, to link a wallet
 * @throws UserChanged from the transaction, when the user has another linked wallet meanwhile, or the sessions have ended
 */
export function setLinkedWallet(
  id: string,
  previous: string | undefined,
  change: Pick<StoredUser, 'linkedWallet'> & Partial<Pick<StoredUser, 'walletAddress'>>,
  version?: number,
): Write {
  const isPrevious = whenLinkedWalletIs(id, previous);
  const inSession = version === undefined ? undefined : whenSessionVersionIs(version);
  const condition = inSession && {
    ...isPrevious,
    when: `${isPrevious.when} AND (${inSession.when})`,
    values: { ...isPrevious.values, ...inSession.values },
  };
  return update(
    keys.user(id),
    { set: { ...change, updatedAt: new Date().toISOString() } },
    condition ?? isPrevious,
  );
}

function whenLinkedWalletIs(id: string, linkedWallet: string | undefined) {
  return {
    ...toCondition<StoredUser>([], { id, linkedWallet: linkedWallet ?? absent }),
    orThrow: () => new UserChanged(),
  };
}

/** The error for an account whose address is not confirmed. */
export const addressNotConfirmed = () =>
  forbidden('Please confirm your e-mail address on your account page first', 'email-not-verified');

/** The error for an account whose address was confirmed without a session of it: somebody else may have registered it. */
export const addressNotOwned = () =>
  forbidden(
    'Please choose a new password by “Forgot your password?” first: your address was confirmed where you were not signed in',
    'email-not-verified',
  );

const storedGuest = z.object({ userId: z.string() });

/** Another order has created the guest meanwhile. */
export class GuestExists extends Error {}

/** Returns the write that makes a user the guest of an address. @throws GuestExists from the transaction */
export function insertGuest(email: string, userId: string): Write {
  return put(
    { ...keys.guest(hashEmail(email)), userId },
    { when: 'attribute_not_exists(#pk)', orThrow: () => new GuestExists() },
  );
}

/** Returns the id of the user that a stored item leads to. */
export function toGuestId(item: unknown): string {
  return storedGuest.parse(item).userId;
}

/** Returns the id of the guest with an address; undefined when nobody has bought with it. */
export async function findGuestId(email: string): Promise<string | undefined> {
  const item = await getItem(keys.guest(hashEmail(email)));
  return item && toGuestId(item);
}

/** Returns the write that frees the address of a guest. @throws DomainError 409 `busy` from the transaction */
export function removeGuest(email: string, userId: string): Write {
  return remove(keys.guest(hashEmail(email)), {
    when: '#userId = :userId',
    values: { userId },
    orThrow: () => conflict('busy', 'The person has just bought again. Please try again.', 1),
  });
}
