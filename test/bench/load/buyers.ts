import jwt from 'jsonwebtoken';
import { insertUser } from '../../../shared/accounts/users/store.ts';
import { newId } from '../../../shared/core/ids.ts';
import { transact } from '../../../shared/dynamo/write.ts';
import { readKeyList } from '../../../shared/runtime/secrets.ts';
import { signAccessToken } from '../../../shared/runtime/tokens.ts';

/** Writes new buyers to the table and returns their access tokens. Registering each would take 250 ms of CPU time. */
export async function createBuyers(count: number): Promise<string[]> {
  const users = Array.from({ length: count }, () => {
    const id = newId();
    const email = `${id}@example.com`;
    return {
      id,
      email,
      name: 'Ben Buyer',
      role: 'USER',
      walletAddress: null,
      kycStatus: 'NONE',
      emailVerified: false,
    } as const;
  });
  const now = new Date().toISOString();
  for (let start = 0; start < count; start += 40) {
    await transact(users.slice(start, start + 40).map((user) => insertUser(user, now)));
  }
  return Promise.all(
    users.map(async ({ id, email, role }) => prolong(await signAccessToken({ userId: id, email, role }))),
  );
}

/** Returns an access token that lasts a day: drills on a slow machine outlive those of the service, of 15 minutes. */
export async function prolong(token: string): Promise<string> {
  const { exp: _end, ...claims } = jwt.decode(token, { json: true }) ?? {};
  const [key] = await readKeyList('JWT_ACCESS_SECRET');
  return jwt.sign(claims, key, { algorithm: 'HS256', expiresIn: '1d' });
}
