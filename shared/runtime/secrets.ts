import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { optional, type SecretName } from './config.ts';

/**
 * Milliseconds until a value is read again. A rotated secret reaches every function within that time, without a
 * deployment: versions behind an alias can't be restarted otherwise.
 */
const lifetime = 15 * 60_000;

const cache = new Map<string, { value: Promise<string | undefined>; until: number }>();

/**
 * A secret's value, or undefined when it is not configured (an empty one counts as not configured): from the
 * variable of that name where there is one, otherwise from the secret whose ARN stands in `<name>_ARN`, which is
 * read at the first call and every 15 minutes after.
 */
export function secret(name: SecretName | `CHAIN_${number}_RPC_URLS`): Promise<string | undefined> {
  const arn = process.env[`${name}_ARN`];
  if (!arn) return Promise.resolve(optional(name));
  const known = cache.get(name);
  if (known && Date.now() < known.until) return known.value;
  const value = fetchSecret(arn).catch((error) => {
    // The last value serves on while the store does not answer; without one the next call must try again.
    if (known) return known.value;
    cache.delete(name);
    throw error;
  });
  cache.set(name, { value, until: Date.now() + lifetime });
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

let madeClient: SecretsManagerClient | undefined;

/** Made at first use. The SDK sends a request up to three times, and waits 2 s for each answer. */
function client(): SecretsManagerClient {
  madeClient ??= new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return madeClient;
}

async function fetchSecret(arn: string): Promise<string | undefined> {
  try {
    const answer = await client().send(new GetSecretValueCommand({ SecretId: arn }));
    return answer.SecretString || undefined;
  } catch (error) {
    // So the store calls a secret that nobody gave a value yet. The secret itself exists: the stack made it.
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
