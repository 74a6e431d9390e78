import { createHash, timingSafeEqual } from 'node:crypto';
import { BatchGetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { splitList } from '../core/lists.ts';
import { type ChainRpcName, optionalSetting } from './config.ts';
import type { SecretName } from './settings.ts';

/**
 * How long values are cached, in milliseconds. A rotated secret reaches every function within this time, without a
 * deployment.
 */
const cacheMilliseconds = 15 * 60_000;

/** The maximum number of secrets in one request. */
const batchSize = 20;

/** Values by ARN: undefined for a secret without a value, an Error for one that could not be read. */
type Values = ReadonlyMap<string, string | undefined | Error>;

let lastValues: Values = new Map();
let cachedRead: { values: Promise<Values>; until: number } | undefined;

/**
 * Returns a secret's value: from the secret whose ARN is in the environment variable `<name>_ARN`, or from the variable
 * `<name>` if there is none. Returns undefined when it is not configured or empty. The first call reads all secrets of
 * the function, and every 15 minutes a call reads them again.
 * @throws Error when the value can't be read, and none is cached
 */
export async function readSecret(name: SecretName | ChainRpcName): Promise<string | undefined> {
  const arn = process.env[`${name}_ARN`];
  if (!arn) return optionalSetting(name);
  const value = (await readSecrets()).get(arn);
  if (value instanceof Error) throw value;
  return value;
}

/** Returns a secret's value. @throws Error when it is not configured or can't be read */
export async function requiredSecret(name: SecretName): Promise<string> {
  const value = await readSecret(name);
  if (!value) throw new Error(`${name} is not configured`);
  return value;
}

/**
 * Returns the keys of a secret that is a comma-separated list. The first key signs, and all keys verify.
 * @throws Error when the list has no first key, or the secret is not configured or can't be read
 */
export async function readKeyList(name: SecretName): Promise<[string, ...string[]]> {
  const [first, ...others] = splitList(await requiredSecret(name));
  if (!first) throw new Error(`${name} holds no key`);
  return [first, ...others];
}

/** Compares secrets in constant time, even when their lengths differ. An empty expected secret matches nothing. */
export function isSameSecret(givenSecret: string, expectedSecret: string): boolean {
  const digest = (secret: string) => createHash('sha256').update(secret).digest();
  return expectedSecret !== '' && timingSafeEqual(digest(givenSecret), digest(expectedSecret));
}

/** Reads all secrets of the function, unless their values are recent. */
export function readSecrets(): Promise<Values> {
  if (cachedRead && Date.now() < cachedRead.until) return cachedRead.values;
  cachedRead = { values: fetchAll(), until: Date.now() + cacheMilliseconds };
  return cachedRead.values;
}

/**
 * Fetches all secrets. A secret that can't be read keeps its cached value. If it has none, the next call fetches all
 * secrets again.
 */
async function fetchAll(): Promise<Values> {
  const values = new Map(lastValues);
  for (const [arn, value] of await fetchValues(secretArns())) {
    if (value instanceof Error && typeof lastValues.get(arn) === 'string') continue;
    values.set(arn, value);
  }
  if ([...values.values()].some((value) => value instanceof Error)) cachedRead = undefined;
  lastValues = values;
  return values;
}

function secretArns(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    name.endsWith('_ARN') && value ? [value] : [],
  );
}

let cachedClient: SecretsManagerClient | undefined;

/**
 * Returns the client, created at first use. The SDK sends a request up to three times, and waits 2 s for each response.
 */
function client(): SecretsManagerClient {
  cachedClient ??= new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return cachedClient;
}

async function fetchValues(arns: readonly string[]): Promise<[string, string | undefined | Error][]> {
  const results: [string, string | undefined | Error][] = [];
  for (let start = 0; start < arns.length; start += batchSize) {
    const SecretIdList = arns.slice(start, start + batchSize);
    try {
      const { SecretValues = [], Errors = [] } = await client().send(
        new BatchGetSecretValueCommand({ SecretIdList }),
      );
      for (const { ARN = '', SecretString } of SecretValues) results.push([ARN, SecretString || undefined]);
      for (const { SecretId = '', ErrorCode } of Errors) results.push([SecretId, toReadError(ErrorCode)]);
    } catch (error) {
      for (const arn of SecretIdList) results.push([arn, error as Error]);
    }
  }
  return results;
}

/** Returns undefined for a secret that is not found: it exists, since the stack created it, but has no value yet. */
function toReadError(code: string | undefined): Error | undefined {
  return code === 'ResourceNotFoundException' ? undefined : new Error(`A secret could not be read: ${code}`);
}
