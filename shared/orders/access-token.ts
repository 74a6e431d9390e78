import { createHmac } from 'node:crypto';
import { findSessionOwner } from '../accounts/users/store.ts';
import { isClosed } from '../accounts/users/user.ts';
import { unauthenticated } from '../core/errors.ts';
import { isSameSecret, readKeyList } from '../runtime/secrets.ts';
import type { AccessClaims } from '../runtime/tokens.ts';
import type { Order } from './order.ts';
import { findOrder } from './store.ts';

/*
 * A guest opens an order by its access token: an HMAC of the order's id and of the version of the guest's tokens, which
 * is the guest's `sessionVersion`. It is derived whenever it is needed, and never stored. It travels in answers to the
 * guest, in the fragment of links, which browsers do not send, and in the header Authorization.
 *
 * The token's first four bytes are the version, masked by a keyed hash: anybody may order with another person's address,
 * and should not learn whether the address has an account.
 */

/** Derives the access token of an order. @param version the version of the guest's tokens */
export async function deriveAccessToken(orderId: string, version: number): Promise<string> {
  const [key] = await readKeyList('ORDER_ACCESS_SECRET');
  return encodeToken(key, orderId, version);
}

/**
 * Verifies an order's access token, and returns the guest as the caller.
 * @throws DomainError 401 `invalid-token`; 401 `token-replaced` for a token from before the guest's orders were added to
 * an account
 */
export async function verifyAccessToken(token: string, orderId: string): Promise<AccessClaims> {
  const version = await findVersion(token, orderId);
  const order = version === undefined ? undefined : await findOrder(orderId);
  const owner = order && (await findSessionOwner(order.userId));
  if (!owner || isClosed(owner.user)) throw unauthenticated('This link is not valid', 'invalid-token');
  if (owner.sessionVersion !== version) {
    throw unauthenticated('This order is in an account now. Log in to open it.', 'token-replaced');
  }
  const { id: userId, email, role } = owner.user;
  return { userId, email, role };
}

/** Verifies the access token of the order whose id is in the path. @throws DomainError as `verifyAccessToken` */
export const orderTokenById = (token: string, { id = '' }: { id?: string }): Promise<AccessClaims> =>
  verifyAccessToken(token, id);

/** Returns the current access token of an order; undefined for an order of an account. */
export async function findAccessToken({ id, userId, guestVersion }: Order): Promise<string | undefined> {
  if (guestVersion === undefined) return undefined;
  const owner = await findSessionOwner(userId);
  return owner && deriveAccessToken(id, owner.sessionVersion);
}

/** Returns the version that a token of this order was derived with; undefined for any other text. */
async function findVersion(token: string, orderId: string): Promise<number | undefined> {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== tokenBytes) return undefined;
  for (const key of await readKeyList('ORDER_ACCESS_SECRET')) {
    const version = (bytes.readUInt32BE() ^ computeMask(key, orderId)) >>> 0;
    if (isSameSecret(token, encodeToken(key, orderId, version))) return version;
  }
  return undefined;
}

const tokenBytes = 4 + 16;

/** The masked version, and 128 bits of the HMAC: short, and infeasible to guess. */
function encodeToken(key: string, orderId: string, version: number): string {
  const token = Buffer.alloc(tokenBytes);
  token.writeUInt32BE((version ^ computeMask(key, orderId)) >>> 0);
  computeMac(key, `order-access:${orderId}:${version}`).copy(token, 4, 0, 16);
  return token.toString('base64url');
}

const computeMask = (key: string, orderId: string): number =>
  computeMac(key, `order-access-version:${orderId}`).readUInt32BE();

const computeMac = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
