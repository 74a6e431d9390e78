import { randomUUID } from 'node:crypto';
import type { Stack } from './stack.ts';
import { useTableOf } from './table.ts';

/**
 * Access tokens of new buyers, put into a stack's table directly: registering costs a quarter of a second of
 * computing each. The stack must have been started with `JWT_ACCESS_SECRET` as it stands in this process.
 */
export async function makeBuyers(stack: Stack, count: number): Promise<string[]> {
  useTableOf(stack);
  const { insertUser } = await import('../../shared/auth/store.ts');
  const { signAccessToken } = await import('../../shared/auth/tokens.ts');
  const { transact } = await import('../../shared/dynamo/write.ts');
  const tokens: string[] = [];
  for (let made = 0; made < count; made += 40) {
    const users = Array.from({ length: Math.min(40, count - made) }, () => {
      const id = `c${randomUUID().replaceAll('-', '').slice(0, 24)}`;
      const email = `${id}@example.com`;
      return { id, email, name: 'Buyer', role: 'USER', walletAddress: null, kycStatus: 'NONE' } as const;
    });
    await transact(users.flatMap((user) => insertUser(user, 'no password', new Date().toISOString())));
    const signed = users.map(({ id, email, role }) => signAccessToken({ userId: id, email, role }));
    tokens.push(...(await Promise.all(signed)));
  }
  return tokens;
}
