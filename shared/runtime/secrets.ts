import { createHash, timingSafeEqual } from 'node:crypto';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { unavailable } from '../core/errors.ts';
import { splitList } from '../core/schemas.ts';
import { type ChainRpcName, optionalSetting } from './config.ts';
import type { SecretName } from './settings.ts';
import { log } from './telemetry.ts';

/**
 * Returns a secret's value: from the secret whose ARN is in the environment variable `<name>_ARN`, or from the variable
 * `<name>` if there is none. Returns undefined when it is not configured or empty.
 * @throws DomainError 503 when Secrets Manager has never answered
 */
export async function readSecret(name: SecretName | ChainRpcName): Promise<string | undefined> {
  const arn = process.env[`${name}_ARN`];
  return arn ? cachedSecret(arn).read() : optionalSetting(name);
}

/** Returns a secret's value. @throws Error when it is not configured; the errors of `readSecret` */
export async function requiredSecret(name: SecretName): Promise<string> {
  const value = await readSecret(name);
  if (!value) throw new Error(`${name} is not configured`);
  return value;
}

/**
 * Returns the keys of a secret that is a comma-separated list. The first key signs, and all keys verify.
 * @throws Error when the list has no first key, or the secret is not configured; the errors of `readSecret`
 */
export async function readKeyList(name: SecretName): Promise<[string, ...string[]]> {
  const [first, ...others] = splitList(await requiredSecret(name));
  if (!first) throw new Error(`${name} holds no key`);
  return [first, ...others];
}

/**
 * Returns the values of a secret that others sign or send, a comma-separated list: during a rotation the old value and
 * the new one. Empty when the secret is not configured.
 * @throws the errors of `readSecret`
 */
export async function readAcceptedValues(name: SecretName): Promise<string[]> {
  return splitList((await readSecret(name)) ?? '');
}

/** Compares secrets in constant time, even when their lengths differ. An empty expected secret matches nothing. */
export function isSameSecret(givenSecret: string, expectedSecret: string): boolean {
  const digest = (secret: string) => createHash('sha256').update(secret).digest();
  return expectedSecret !== '' && timingSafeEqual(digest(givenSecret), digest(expectedSecret));
}

/** Returns whether a caller sent one of a secret's values. The caller may send a list too, during a rotation. */
export async function hasAcceptedValue(name: SecretName, given: string): Promise<boolean> {
  const accepted = await readAcceptedValues(name);
  return splitList(given).some((value) => accepted.some((secret) => isSameSecret(value, secret)));
}

/** Reads all secrets of the function, for the init phase. */
export async function readSecrets(): Promise<void> {
  const arns = Object.entries(process.env).flatMap(([name, value]) =>
    name.endsWith('_ARN') && value ? [value] : [],
  );
  await Promise.all(arns.map((arn) => cachedSecret(arn).read()));
}

const minute = 60_000;
/** The earliest and the latest age at which a value is read again. Environments that start together spread over it. */
const refreshMilliseconds = { from: 10 * minute, to: 15 * minute };
/**
 * The age from which calls wait for the value that is being read. A younger value is used meanwhile. So a rotated secret
 * reaches every call within this time, without a deployment, while Secrets Manager answers.
 */
const staleMilliseconds = 30 * minute;
/** The pause after the first failed read. Each further failure doubles it, up to the longest. Half of it is random. */
const failurePauseMilliseconds = { first: 1_000, longest: 30_000 };

const secrets = new Map<string, CachedSecret>();

function cachedSecret(arn: string): CachedSecret {
  const secret = secrets.get(arn) ?? new CachedSecret(arn);
  secrets.set(arn, secret);
  return secret;
}

/**
 * A secret as last read. Secrets Manager answers 10,000 reads a second in a region, for all functions together. So a
 * failed read is followed by a pause, and never replaces a value.
 */
class CachedSecret {
  readonly #arn: string;
  /** `value` is undefined for a secret without a value. */
  #known: { value: string | undefined; staleAt: number } | undefined;
  #readAgainAt = 0;
  #failures = 0;
  #reading: Promise<void> | undefined;

  constructor(arn: string) {
    this.#arn = arn;
  }

  async read(): Promise<string | undefined> {
    const now = Date.now();
    if (now >= this.#readAgainAt) {
      this.#reading ??= this.#refresh().finally(() => {
        this.#reading = undefined;
      });
    }
    if (!this.#known || now >= this.#known.staleAt) await this.#reading;
    if (!this.#known) throw unavailable();
    return this.#known.value;
  }

  /** Reads the value. Never rejects. */
  async #refresh(): Promise<void> {
    try {
      const value = await fetchValue(this.#arn);
      const now = Date.now();
      const { from, to } = refreshMilliseconds;
      this.#known = { value, staleAt: now + staleMilliseconds };
      this.#readAgainAt = now + from + Math.random() * (to - from);
      this.#failures = 0;
    } catch (error) {
      const { first, longest } = failurePauseMilliseconds;
      const pause = Math.min(longest, first * 2 ** this.#failures++);
      this.#readAgainAt = Date.now() + (pause * (1 + Math.random())) / 2;
      // The error's message can name the secret's ARN, which is not secret.
      log.error('Secret not read', error, { failures: this.#failures });
    }
  }
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

/** Returns undefined for a secret that is not found: it exists, since the stack created it, but has no value yet. */
async function fetchValue(SecretId: string): Promise<string | undefined> {
  try {
    const { SecretString } = await client().send(new GetSecretValueCommand({ SecretId }));
    return SecretString || undefined;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
