import { BatchGetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type ChainRpcName, optional, type SecretName } from './config.ts';

/**
 * Milliseconds until the values are read again. A rotated secret reaches every function within that time, without a
 * deployment: versions behind an alias can't be restarted otherwise.
 */
const lifetime = 15 * 60_000;

/** At most so many secrets in one request. */
const batchSize = 20;

/** A value by its ARN: undefined without one, an error when it could not be read. */
type Values = ReadonlyMap<string, string | undefined | Error>;

let lastValues: Values = new Map();
let reading: { values: Promise<Values>; until: number } | undefined;

/**
 * A secret's value, or undefined when it is not configured (an empty one counts as not configured): from the
 * variable of that name where there is one, otherwise from the secret whose ARN stands in `<name>_ARN`. All secrets of
 * a function are read together, at the first call and every 15 minutes after.
 * @throws when it can't be read, and never could
 */
export async function secret(name: SecretName | ChainRpcName): Promise<string | undefined> {
  const arn = process.env[`${name}_ARN`];
  if (!arn) return optional(name);
  const value = (await readSecrets()).get(arn);
  if (value instanceof Error) throw value;
  return value;
}

/** As `secret`, for what the function can't work without. */
export async function requiredSecret(name: SecretName): Promise<string> {
  const value = await secret(name);
  if (!value) throw new Error(`${name} is not configured`);
  return value;
}

/** A rotating secret: comma-separated keys, of which the first signs and all verify. */
export async function keyList(name: SecretName): Promise<[string, ...string[]]> {
  const [first, ...others] = (await requiredSecret(name)).split(',').map((key) => key.trim());
  if (!first) throw new Error(`${name} holds no key`);
  return [first, ...others.filter(Boolean)];
}

/** Reads all secrets of the function, unless their values are recent. */
export function readSecrets(): Promise<Values> {
  if (reading && Date.now() < reading.until) return reading.values;
  reading = { values: fetchAll(), until: Date.now() + lifetime };
  return reading.values;
}

/** The last values serve on while the store does not answer; what has none is asked for again by the next call. */
async function fetchAll(): Promise<Values> {
  const values = new Map(lastValues);
  for (const [arn, value] of await fetchValues(secretArns())) {
    if (value instanceof Error && typeof lastValues.get(arn) === 'string') continue;
    values.set(arn, value);
  }
  if ([...values.values()].some((value) => value instanceof Error)) reading = undefined;
  lastValues = values;
  return values;
}

function secretArns(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    name.endsWith('_ARN') && value ? [value] : [],
  );
}

let madeClient: SecretsManagerClient | undefined;

/** Made at first use. The SDK sends a request up to three times, and waits 2 s for each answer. */
function client(): SecretsManagerClient {
  madeClient ??= new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return madeClient;
}

async function fetchValues(arns: readonly string[]): Promise<[string, string | undefined | Error][]> {
  const found: [string, string | undefined | Error][] = [];
  for (let start = 0; start < arns.length; start += batchSize) {
    const SecretIdList = arns.slice(start, start + batchSize);
    try {
      const { SecretValues = [], Errors = [] } = await client().send(
        new BatchGetSecretValueCommand({ SecretIdList }),
      );
      for (const { ARN = '', SecretString } of SecretValues) found.push([ARN, SecretString || undefined]);
      for (const { SecretId = '', ErrorCode } of Errors) found.push([SecretId, failureOf(ErrorCode)]);
    } catch (error) {
      for (const arn of SecretIdList) found.push([arn, error as Error]);
    }
  }
  return found;
}

/** The store has this code for a secret without a value. The secret itself exists: the stack made it. */
function failureOf(code: string | undefined): Error | undefined {
  return code === 'ResourceNotFoundException' ? undefined : new Error(`A secret could not be read: ${code}`);
}
