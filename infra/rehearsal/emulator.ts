import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { findProgram, startChild, untilReady } from '../local/parts/child.ts';

export const region = 'us-east-1';
/** The emulator's only account. */
export const accountId = '123456789012';

export interface Emulator {
  /** Environment variables that make the CDK use only the emulator. */
  environment: Record<string, string>;
  /** Configuration of the SDK's clients in this process. */
  client: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };
  /** Requests a path of one of AWS's REST services. */
  get(service: string, path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Finds moto_server, a third-party emulator of AWS. */
export const findEmulator = () => findProgram('moto_server', 'moto_server');

/** @throws Error with its output when it does not start */
export async function startEmulator(program: string, log: string): Promise<Emulator> {
  const port = await freePort();
  const child = startChild([program, '-H', '127.0.0.1', '-p', `${port}`], { log });
  // By this name: the emulator parses a template's address only when its host is "localhost".
  const url = `http://localhost:${port}`;
  if (!(await untilReady(() => fetch(url), child.ended))) {
    await child.stop();
    throw new Error(`moto_server did not start:\n${readFileSync(log, 'utf8')}`);
  }
  return {
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'rehearsal',
      AWS_SECRET_ACCESS_KEY: 'rehearsal',
      // Overrides everything else that could select a real account.
      AWS_PROFILE: '',
      AWS_SESSION_TOKEN: '',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    client: {
      endpoint: url,
      region,
      credentials: { accessKeyId: 'rehearsal', secretAccessKey: 'rehearsal' },
    },
    async get(service, path) {
      // The emulator does not verify signatures, but reads the service and region from them.
      const authorization = `AWS4-HMAC-SHA256 Credential=rehearsal/20000101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`;
      const response = await fetch(`${url}${path}`, { headers: { authorization } });
      if (!response.ok) throw new Error(`${service} answered ${response.status} to ${path}`);
      return response.json();
    },
    stop: () => child.stop(),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
