import { expect, it, onTestFinished, vi } from 'vitest';
import { type SmokeOptions, smokeTest } from '../../infra/ops/smoke-test.ts';
import { sharedStack } from '../support/stack.ts';

async function runSmokeTest(options: SmokeOptions): Promise<string[]> {
  const steps: string[] = [];
  for await (const step of smokeTest(options)) steps.push(step);
  return steps;
}

it('the smoke test sells a ticket at a running stage and removes its data, and can be repeated', async () => {
  const { apiUrl, sandboxUrl } = sharedStack();
  const options = { url: apiUrl, origin: apiUrl, currency: 'NGN' };
  const first = await runSmokeTest(options);
  expect(first).toEqual([
    'The API responds.',
    'The API reference is available.',
    'Events are listed.',
    'The service responds to an unknown path.',
    `Pages of ${apiUrl} may call the API.`,
    'An organizer and a buyer are registered, and an event is on sale.',
    'A free ticket is sold, its buyer notified, and its check-in code shown.',
    'The ticket is checked in, and a second check-in is refused.',
    `The checkout page is at ${new URL(sandboxUrl).host}; the ticket is held.`,
    'The unpaid order is cancelled, and its ticket is on sale again.',
    'The event is cancelled, and both accounts are closed.',
  ]);
  expect(await runSmokeTest(options)).toEqual(first);
});

it('the smoke test removes its data when a step fails', async () => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetchSpy.mockRestore());
  // The stack’s default payment provider does not accept yen.
  await expect(runSmokeTest({ url: sharedStack().apiUrl, currency: 'JPY' })).rejects.toThrow(
    'POST /api/orders/initialize returned 400 instead of 201',
  );
  const answers = await Promise.all(fetchSpy.mock.settledResults.map(({ value }) => value));
  const requests = fetchSpy.mock.calls.map(([url, init], index) =>
    [init?.method, new URL(String(url)).pathname.replace(/\/c\w{20,}/, '/{id}'), answers[index]?.status].join(
      ' ',
    ),
  );
  expect(requests.slice(-3)).toEqual([
    'POST /api/users/{id}/erasure 200',
    'PUT /api/events/{id} 200',
    'POST /api/users/{id}/erasure 200',
  ]);
});

it('the smoke test fails when the API does not allow the origin', async () => {
  const { apiUrl } = sharedStack();
  await expect(runSmokeTest({ url: apiUrl, origin: 'https://elsewhere.test' })).rejects.toThrow(
    'A page of https://elsewhere.test may not call the API',
  );
});

it('the smoke test names the failed request', async () => {
  await expect(runSmokeTest({ url: sharedStack().sandboxUrl })).rejects.toThrow('GET /api/health returned');
  await expect(runSmokeTest({ url: 'http://127.0.0.1:9' })).rejects.toThrow(
    /^GET \/api\/health got no response: .+$/,
  );
});
