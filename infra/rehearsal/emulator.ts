import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { findProgram, startChild, untilReady } from '../local/parts/child-process.ts';

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
  /** Calls a JSON operation of one of AWS's services. @param operation `Target.Operation` */
  call(service: string, operation: string, input: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Finds moto_server, a third-party emulator of AWS. */
export const findEmulator = () => findProgram('moto_server', 'moto_server');

/** Starts the emulator. @throws Error with its output when it does not start */
export async function startEmulator(program: string, logFile: string): Promise<Emulator> {
  const port = await freePort();
  const child = startChild([program, '-H', '127.0.0.1', '-p', `${port}`], { log: logFile });
  // The emulator recognizes the URL of a CDK template only with the host "localhost".
  const url = `http://localhost:${port}`;
  if (!(await untilReady(() => fetch(url), child.ended))) {
    await child.stop();
    throw new Error(`moto_server did not start:\n${readFileSync(logFile, 'utf8')}`);
  }
  const request = async (service: string, path: string, init: { headers?: object; body?: string } = {}) => {
    // The emulator does not verify signatures, but reads the service and region from them.
    const authorization = `AWS4-HMAC-SHA256 Credential=rehearsal/20000101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`;
    const response = await fetch(`${url}${path}`, {
      method: init.body ? 'POST' : 'GET',
      headers: { authorization, ...init.headers },
      body: init.body,
    });
    if (!response.ok) throw new Error(`${service} returned ${response.status} for ${path}`);
    return response.json();
  };
  return {
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'rehearsal',
      AWS_SECRET_ACCESS_KEY: 'rehearsal',
      // Overrides all other settings that could select a real account.
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
    get: (service, path) => request(service, path),
    call: (service, operation, input) =>
      request(service, '/', {
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': operation },
        body: JSON.stringify(input),
      }),
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
