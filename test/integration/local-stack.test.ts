import { expect, test } from 'vitest';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();

test('an unknown path is answered by the $default function', async () => {
  const response = await fetch(`${stack.apiUrl}/api/nothing-here`);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});

test('a function can be called by its name', async () => {
  const event = { headers: {}, requestContext: { requestId: 'r' } };
  expect(await stack.invoke('health-health', event)).toMatchObject({ statusCode: 200 });
  await expect(stack.invoke('no-such-function')).rejects.toThrow('not found');
});
