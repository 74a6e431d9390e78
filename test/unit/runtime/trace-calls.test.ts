import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchWithRetry } from '../../../shared/runtime/retry.ts';
import { traceCall } from '../../../shared/runtime/telemetry.ts';

const daemon = createSocket('udp4');
let datagrams: string[];
beforeEach(async () => {
  datagrams = [];
  vi.stubEnv('TRACE_CALLS', 'true');
  vi.stubEnv(
    '_X_AMZN_TRACE_ID',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
  );
});
daemon.on('message', (message) => datagrams.push(message.toString()));
await new Promise<void>((bound) => daemon.bind(0, '127.0.0.1', bound));
process.env.AWS_XRAY_DAEMON_ADDRESS = `127.0.0.1:${daemon.address().port}`;
afterEach(() => vi.unstubAllEnvs());

const segments = async (count: number) => {
  await expect.poll(() => datagrams.length).toBe(count);
  return datagrams.map((text) => {
    const [header = '', segment = ''] = text.split('\n');
    expect(JSON.parse(header)).toEqual({ format: 'json', version: 1 });
    return JSON.parse(segment);
  });
};

it('a call of a provider is a segment of the trace, without its path', async () => {
  const provider = createServer((_, response) => response.end('{}'));
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  const { port } = provider.address() as AddressInfo;
  await fetchWithRetry(`http://127.0.0.1:${port}/transaction/secret`, { method: 'POST' });
  provider.close();
  const [segment] = await segments(1);
  expect(segment).toMatchObject({
    trace_id: '1-5759e988-bd862e3fe1be46a994272793',
    parent_id: '53995c3f42cd8ad8',
    type: 'subsegment',
    namespace: 'remote',
    name: '127.0.0.1',
    fault: false,
    annotations: { operation: 'POST' },
  });
  expect(segment.id).toMatch(/^[0-9a-f]{16}$/);
  expect(segment.end_time).toBeGreaterThanOrEqual(segment.start_time);
  expect(JSON.stringify(segment)).not.toContain('secret');
});

it('a failed call is a fault, and its error is unchanged', async () => {
  const failure = new Error('refused');
  await expect(traceCall('dynamodb', 'GetItem', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await segments(1)).toMatchObject([{ name: 'dynamodb', fault: true }]);
});

it('nothing is sent for a request that X-Ray does not sample, nor on a stage without the option', async () => {
  vi.stubEnv(
    '_X_AMZN_TRACE_ID',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0',
  );
  expect(await traceCall('dynamodb', 'GetItem', async () => 1)).toBe(1);
  vi.stubEnv(
    '_X_AMZN_TRACE_ID',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
  );
  vi.stubEnv('TRACE_CALLS', '');
  expect(await traceCall('dynamodb', 'GetItem', async () => 1)).toBe(1);
  // A datagram that is sent arrives before this one.
  vi.stubEnv('TRACE_CALLS', 'true');
  await traceCall('dynamodb', 'Query', async () => 1);
  expect((await segments(1))[0].annotations).toEqual({ operation: 'Query' });
});
