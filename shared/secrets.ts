import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { optional, type SecretName } from './env.ts';

const cache = new Map<string, Promise<string | undefined>>();

/**
 * A secret's value, or undefined when it is not configured (an empty one counts as not configured).
 * Read once per cold start: from the variable of that name where there is one, otherwise from the secret whose
 * ARN stands in `<name>_ARN`.
 */
export function secret(name: SecretName | `CHAIN_${number}_RPC_URLS`): Promise<string | undefined> {
  const arn = process.env[`${name}_ARN`];
  if (!arn) return Promise.resolve(optional(name));
  let value = cache.get(name);
  if (!value) {
    value = fetchSecret(arn);
    cache.set(name, value);
    // A failed read must not stick to the warm function.
    value.catch(() => cache.delete(name));
  }
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

async function fetchSecret(arn: string): Promise<string | undefined> {
  const answer = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: arn }));
  return answer.SecretString || undefined;
}
