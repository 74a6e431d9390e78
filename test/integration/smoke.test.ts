import { expect, it } from 'vitest';
import { smokeTest } from '../../infra/operator/smoke/purchase.ts';
import { sharedStack } from '../support/stack.ts';

async function steps(url: string, origin?: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const step of smokeTest(url, origin)) seen.push(step);
  return seen;
}

it('sells a ticket at a running stage', async () => {
  const { apiUrl } = sharedStack();
  const seen = await steps(apiUrl, apiUrl);
  expect(seen).toHaveLength(7);
  expect(seen.at(-1)).toBe('The event is cancelled.');
});

it('fails where pages may not call the API', async () => {
  await expect(steps(sharedStack().apiUrl, 'https://elsewhere.test')).rejects.toThrow(
    'A page of https://elsewhere.test may not call the API',
  );
});

it('says which step failed', async () => {
  await expect(steps(sharedStack().sandboxUrl)).rejects.toThrow('GET /api/health answered');
});
