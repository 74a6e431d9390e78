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
 */

/** Derives the access token of an order. @param version the version of the guest's tokens */
export async function deriveAccessToken(orderId: string, version: number): Promise<string> {
  const [key] = await readKeyList('ORDER_ACCESS_SECRET');
  return `${version}.${computeMac(key, orderId, version)}`;
}

/**
 * Verifies an order's access token, and returns the guest as the caller.
 * @throws DomainError 401 `invalid-token`; 401 `token-replaced` for a token from before the guest's orders were added to
 * an account
 */
export async function verifyAccessToken(token: string, orderId: string): Promise<AccessClaims> {
  const [, version = '', mac = ''] = /^(0|[1-9]\d{0,8})\.([\w-]{22})$/.exec(token) ?? [];
  const keys = await readKeyList('ORDER_ACCESS_SECRET');
  const isValid = keys.some((key) => isSameSecret(mac, computeMac(key, orderId, Number(version))));
  const order = isValid ? await findOrder(orderId) : undefined;
  const owner = order && (await findSessionOwner(order.userId));
  if (!owner || isClosed(owner.user)) throw unauthenticated('This link is not valid', 'invalid-token');
  if (owner.sessionVersion !== Number(version)) {
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

/** Computes 128 bits: short, and infeasible to guess. */
function computeMac(key: string, orderId: string, version: number): string {
  const text = `order-access:${orderId}:${version}`;
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url');
}
