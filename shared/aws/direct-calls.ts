import { SignatureV4 } from '@smithy/signature-v4';
import { connections, exchange } from '../runtime/http-client.ts';
import { pause } from '../runtime/retry.ts';
import { Sha256 } from './sha256.ts';

/** A service that speaks AWS's JSON protocol, and the client of the SDK that knows whom to call it as. */
export interface Service {
  /** As signatures name it. */
  name: 'dynamodb' | 'sqs';
  /** What operations are called after, in the header that names them. */
  target: string;
  client: { config: Pick<ConstructorParameters<typeof SignatureV4>[0], 'region' | 'credentials'> };
  /** Tries of one call in all. */
  attempts: number;
  /** For each try. */
  limitMilliseconds: number;
}

/** What a service answered other than success. */
export class ServiceFailure extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.message ?? body.Message ?? `answered ${status}`));
    this.name = String(body.__type ?? 'ServiceFailure')
      .split('#')
      .at(-1) as string;
    this.status = status;
    this.body = body;
  }
}

/**
 * Calls a service as the SDK does, signed by the SDK's own signer, and repeated where the SDK would: when it is
 * throttled, fails, or gives no answer. What it leaves out are the SDK's layers and schemas, which took a fifth to a
 * half of all that an order computes; docs/performance.md has both measured.
 * @returns the way to do one operation, which throws ServiceFailure, or what became of the connection
 */
export function directCalls({ name, target, client, attempts, limitMilliseconds }: Service) {
  const over = connections();
  const { region, credentials } = client.config;
  const signer = new SignatureV4({ service: name, region, credentials, sha256: Sha256 });
  const post = async (url: URL, operation: string, body: string) => {
    const { headers } = await signer.sign({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: {},
      headers: {
        host: url.host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `${target}.${operation}`,
      },
      body,
    });
    const { status, text } = await exchange({
      method: 'POST',
      url: url.href,
      headers,
      body,
      over,
      limitMilliseconds,
    });
    if (status !== 200) throw new ServiceFailure(status, parse(text));
    return JSON.parse(text || '{}');
  };
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an answer of its own
  return async (url: URL, operation: string, input: object): Promise<any> => {
    const body = JSON.stringify(input);
    for (let attempt = 1; ; attempt++) {
      try {
        return await post(url, operation, body);
      } catch (error) {
        if (attempt >= attempts || !isTransient(error)) throw error;
        await pause(attempt);
      }
    }
  };
}

/** Everything but an answer that says no: a lost one is asked for again, since writes are conditional or repeatable. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ServiceFailure) || error.status >= 500 || throttled.has(error.name);
}

const throttled = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'ThrottlingException',
  'TransactionInProgressException',
]);

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
