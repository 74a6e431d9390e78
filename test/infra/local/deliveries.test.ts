import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../infra/local/services/process.ts';
import { Deliveries } from '../../../infra/sandbox/deliveries.ts';
import { eventually } from '../../support/eventually.ts';

/** Retries without pauses. */
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise(setImmediate) }));

test('a webhook that is never answered with 200 is sent seven times, and not again after the sandbox restarts', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-deliveries-'));
  const received: string[] = [];
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.writeHead(500).end();
  });
  const apiUrl = `http://127.0.0.1:${await listen(service, 0)}`;
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, 'sandbox.jsonl');
  const countGivenUp = () => readFileSync(file, 'utf8').split('"done":true').length - 1;
  const withoutSignature = () => ({});
  const countAttempts = (id: number) => received.filter((body) => body === JSON.stringify({ id })).length;
  const sendUntilGivenUp = async (id: number) => {
    const deliveries = new Deliveries(file, apiUrl, withoutSignature);
    expect(await deliveries.send('gateway-a', { id })).toMatchObject([{ status: 500 }]);
    await eventually('the webhook was sent seven times', () => countAttempts(id) >= 7);
    await eventually('the provider gives up', () => countGivenUp() >= id);
    deliveries.stop();
  };

  await sendUntilGivenUp(1);
  await sendUntilGivenUp(2);
  expect([countAttempts(1), countAttempts(2)]).toEqual([7, 7]);
});
