import type { Messages } from './messages.ts';
import type { SecretName, SettingName } from './settings.ts';

/*
 * Functions read settings and secrets from the environment by these functions. settings.ts has their names and values.
 * Local development and tests set secrets as plain variables. Deployed functions get `<NAME>_ARN` instead (secrets.ts),
 * so that no secret is part of a function's configuration.
 */

/** Set by the infrastructure itself: where the table, the bucket, the queues and the metrics are. */
export type ResourceName =
  | 'TABLE_NAME'
  | 'BUCKET_NAME'
  | 'MAIL_CONFIGURATION_SET'
  | 'MAIL_PACE_MILLISECONDS'
  | 'METRICS_NAMESPACE'
  | 'REQUIRE_FRONT'
  | 'TRACE_CALLS'
  | `${string}_QUEUE_URL`;

/** Returns the name of the variable with a queue's URL. */
export function queueUrlVariable(queue: keyof Messages) {
  return `${queue.toUpperCase().replaceAll('-', '_')}_QUEUE_URL` as const;
}

/** The RPC endpoints of one chain, separated by commas. They often contain a provider's key, so they are secret too. */
export type ChainRpcName = `CHAIN_${number}_RPC_URLS`;

/** Returns the value of a variable; undefined when it is absent or empty. */
export function optionalSetting(
  name: SettingName | SecretName | ResourceName | ChainRpcName,
): string | undefined {
  return process.env[name] || undefined;
}

/**
 * Returns the value of a variable that the function requires.
 * @throws Error when it is not configured; the response is a 500 without details, and the log names the variable.
 */
export function requiredSetting(name: SettingName | SecretName | ResourceName): string {
  const value = optionalSetting(name);
  if (!value) throw new Error(`${name} is not configured`);
  return value;
}
