import { expect, it, onTestFinished, vi } from 'vitest';
import { type SmokeOptions, smokeTest } from '../../infra/operator/smoke/smoke-test.ts';
import { sharedStack } from '../support/stack.ts';

async function steps(options: SmokeOptions): Promise<string[]> {
  const seen: string[] = [];
  for await (const step of smokeTest(options)) seen.push(step);
  return seen;
}

it('sells a ticket at a running stage, again and again, and removes what it created', async () => {
  const { apiUrl, sandboxUrl } = sharedStack();
  const options = { url: apiUrl, origin: apiUrl, currency: 'NGN' };
  const first = await steps(options);
  expect(first).toEqual([
    'The API answers.',
    'The API reference is there.',
    'Events are listed.',
    'An unknown path is answered by the service.',
    `Pages of ${apiUrl} may call the API.`,
    'An organizer and a buyer are registered, and an event is on sale.',
    'A free ticket is sold, its buyer notified, and its check-in code shown.',
    'It is checked in once, and not twice.',
    `The provider takes payments at ${new URL(sandboxUrl).host}; the ticket is held.`,
    'The unpaid order is cancelled, and its ticket is on sale again.',
    'The event is cancelled, and both accounts are closed.',
  ]);
  expect(await steps(options)).toEqual(first);
});

it('removes what it created when a step fails', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  // The payment provider of the stack does not take yen.
  await expect(steps({ url: sharedStack().apiUrl, currency: 'JPY' })).rejects.toThrow(
    'POST /api/orders/initialize answered 400 instead of 201',
  );
  const answers = await Promise.all(fetched.mock.settledResults.map(({ value }) => value));
  const last = fetched.mock.calls.map(([url, init], at) =>
    [init?.method, new URL(String(url)).pathname.replace(/\/c\w{20,}/, '/{id}'), answers[at]?.status].join(
      ' ',
    ),
  );
  expect(last.slice(-3)).toEqual([
    'POST /api/users/{id}/erasure 200',
    'PUT /api/events/{id} 200',
    'POST /api/users/{id}/erasure 200',
  ]);
});

it('fails where pages may not call the API', async () => {
  const { apiUrl } = sharedStack();
  await expect(steps({ url: apiUrl, origin: 'https://elsewhere.test' })).rejects.toThrow(
    'A page of https://elsewhere.test may not call the API',
  );
});

it('says in one sentence which step failed', async () => {
  await expect(steps({ url: sharedStack().sandboxUrl })).rejects.toThrow('GET /api/health answered');
  await expect(steps({ url: 'http://127.0.0.1:9' })).rejects.toThrow(/^GET \/api\/health got no answer: .+$/);
});
