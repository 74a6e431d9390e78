import type { Messages } from './messages.ts';
/**
 * The names of all settings and secrets, and the functions that read them. Local development and tests set secrets as
 * plain variables. Deployed functions get `<NAME>_ARN` instead (see secrets.ts), so that no secret is part of a
 * function's configuration.
 */

/**
 * Stored in Secrets Manager on AWS. Each function may read only the secrets that its row in infra/functions.ts lists.
 */
export const secretNames = [
  'JWT_ACCESS_SECRET',
  'JWT_REFRESH_SECRET',
  'GATEWAY_A_SECRET',
  'GATEWAY_B_SECRET_HASH',
  'GATEWAY_B_SECRET_KEY',
  'GATEWAY_C_WEBHOOK_SECRET',
  'GATEWAY_C_SECRET_KEY',
  'MINTER_PRIVATE_KEY',
  'CHECK_IN_SECRET',
  'ORIGIN_SECRET',
] as const;

/** Plain settings. */
export const settingNames = [
  'GATEWAY_A_URL',
  'GATEWAY_A_NAME',
  'GATEWAY_A_SIGNATURE_HEADER',
  'GATEWAY_B_URL',
  'GATEWAY_B_NAME',
  'GATEWAY_C_URL',
  'GATEWAY_C_NAME',
  'DEFAULT_GATEWAY',
  'VERIFY_WITH_GATEWAY',
  'TREASURY_ADDRESS',
  'CHAIN_TOKENS',
  'PAYMENT_CHAINS',
  'TICKET_CONTRACTS',
  'ALLOWED_ORIGINS',
  'HOLD_MINUTES',
  'OPEN_ORDERS_PER_USER',
  'ORDERS_NEED_VERIFIED_EMAIL',
  'REGISTRATIONS_PER_HOUR',
  'PAYOUTS_FROM',
  'RETRY_SECONDS',
  'PUBLIC_URL',
  'MAIL_FROM',
  'STOCK_SHARD_SIZE',
  'STAGE',
  'MINT_BUMP_SECONDS',
  'MINTER_KMS_KEYS',
  'RETENTION_DAYS',
] as const;

export type SecretName = (typeof secretNames)[number];
export type SettingName = (typeof settingNames)[number];
/** Set by the infrastructure itself: where the table, the queues and the metrics are. */
export type ResourceName =
  | 'TABLE_NAME'
  | 'MAIL_CONFIGURATION_SET'
  | 'METRICS_NAMESPACE'
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

/** Splits a comma-separated list into its entries, without surrounding space and empty entries. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
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
