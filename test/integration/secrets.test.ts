import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { registerUser } from '../support/fixtures.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';

let stack: SeparateStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const setBehaviour = (behaviour: 'answer' | 'throttle' | 'fail') =>
  fetch(`${stack.secretsUrl}/behaviour`, { method: 'PUT', body: JSON.stringify(behaviour) });
const countReads = async (): Promise<number> => {
  const { reads } = (await (await fetch(`${stack.secretsUrl}/reads`)).json()) as { reads: number };
  return reads;
};

// Each row has a function that no other test calls, so that its first environment starts without secrets.
test.each([
  ['throttle', '/api/orders'],
  ['fail', '/api/notifications'],
] as const)(
  'while Secrets Manager answers with %s, %s answers 503 and asks rarely, and functions that have their secrets go on',
  async (behaviour, path) => {
    const buyer = await registerUser({}, stack);
    expect((await buyer.get('/api/auth/me')).status).toBe(200);
    await setBehaviour(behaviour);
    expect((await buyer.get('/api/auth/me')).status).toBe(200);

    // Workers that begin meanwhile, such as that of the buyer's mail, read their secrets too.
    const readsBefore = await countReads();
    for (let call = 0; call < 30; call++) {
      const { status, headers } = await buyer.get(path);
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    }
    // The SDK sends each read up to three times.
    expect((await countReads()) - readsBefore).toBeLessThan(30);

    await setBehaviour('answer');
    await eventually('the function has its secret', async () => (await buyer.get(path)).status === 200);
  },
);
