import * as z from 'zod';
import { checksumAddress, walletAddress } from '../core/address.ts';
import { gatewayNames } from '../core/gateway-names.ts';
import { currencies } from '../core/money.ts';
import { type SecretName, type SettingName, splitList } from './config.ts';

const textMatching = (isValid: (text: string) => boolean, rule: string) => z.string().refine(isValid, rule);

/** A comma-separated list with at least one entry. */
const commaSeparated = (isValid: (entry: string) => boolean, rule: string) =>
  textMatching((text) => {
    const entries = splitList(text);
    return entries.length > 0 && entries.every(isValid);
  }, rule);

const isHttpAddress = (text: string) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
const isOrigin = (text: string) => isHttpAddress(text) && new URL(text).origin === text;
const isChainAddress = (text: string) => checksumAddress(text) !== undefined;

const httpAddress = textMatching(isHttpAddress, 'must be an http or https address');
/** An address that paths are appended to. */
const baseAddress = textMatching(
  (text) => isHttpAddress(text) && !text.endsWith('/'),
  'must be an http or https address without a final slash',
);
const rpcUrls = commaSeparated(
  isHttpAddress,
  'must be http or https addresses of nodes, separated by commas',
);
const seconds = textMatching((text) => /^\d+(\.\d+)?$/.test(text), 'must be a number of seconds');
const countAboveZero = z.string().regex(/^[1-9]\d*$/, 'must be a whole number above 0');
const keys = commaSeparated(Boolean, 'must be keys, separated by commas');
/** A name that buyers see. */
const label = textMatching((text) => /^\S(.{0,38}\S)?$/.test(text), 'must be 1 to 40 characters on one line');
const trimmedText = textMatching((text) => text.trim() === text, 'must not begin or end with space');

/** The valid values of each variable. A new setting or secret needs a line here. */
const variables = {
  GATEWAY_A_URL: httpAddress,
  GATEWAY_A_NAME: label,
  GATEWAY_A_SIGNATURE_HEADER: z.string().regex(/^[\w-]+$/, 'must be the name of an HTTP header'),
  GATEWAY_B_URL: httpAddress,
  GATEWAY_B_NAME: label,
  GATEWAY_C_URL: httpAddress,
  GATEWAY_C_NAME: label,
  DEFAULT_GATEWAY: z.enum(gatewayNames, `must be one of ${gatewayNames.join(', ')}`),
  VERIFY_WITH_GATEWAY: z.enum(['true', 'false'], 'must be true or false'),
  TREASURY_ADDRESS: walletAddress,
  CHAIN_TOKENS: commaSeparated((entry) => {
    const [, currency, address = ''] = /^\d+:(\w+)=(\w+)$/.exec(entry) ?? [];
    return currencies.some((known) => known === currency) && isChainAddress(address);
  }, 'must be tokens as <chain id>:<currency>=<address>, separated by commas'),
  PAYMENT_CHAINS: commaSeparated(
    (entry) => /^[1-9]\d*$/.test(entry),
    'must be chain ids, separated by commas',
  ),
  TICKET_CONTRACTS: commaSeparated((entry) => {
    const [, address = ''] = /^\d+:(\w+)$/.exec(entry) ?? [];
    return isChainAddress(address);
  }, 'must be contracts as <chain id>:<address>, separated by commas'),
  ALLOWED_ORIGINS: commaSeparated(
    isOrigin,
    'must be origins such as https://example.com, without a path, separated by commas',
  ),
  HOLD_MINUTES: textMatching(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
    'must be a number of minutes above 0',
  ),
  OPEN_ORDERS_PER_USER: countAboveZero,
  ORDERS_NEED_VERIFIED_EMAIL: z.enum(['true', 'false'], 'must be true or false'),
  REGISTRATIONS_PER_HOUR: countAboveZero,
  PAYOUTS_FROM: z.enum(['sale', 'event'], 'must be sale or event'),
  RETRY_SECONDS: seconds,
  PUBLIC_URL: baseAddress,
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an address such as tickets@example.com or Tickets <tickets@example.com>',
    ),
  STOCK_SHARD_SIZE: countAboveZero,
  STAGE: z.string().regex(/^[\w-]+$/, 'must be the name of a stage'),
  MINT_BUMP_SECONDS: seconds,
  RETENTION_DAYS: countAboveZero,
  MINTER_KMS_KEYS: commaSeparated(
    (entry) => /^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/.test(entry),
    'must be the ARNs of KMS keys, separated by commas',
  ),
  JWT_ACCESS_SECRET: keys,
  JWT_REFRESH_SECRET: keys,
  CHECK_IN_SECRET: keys,
  ORIGIN_SECRET: trimmedText,
  GATEWAY_A_SECRET: trimmedText,
  GATEWAY_B_SECRET_HASH: trimmedText,
  GATEWAY_B_SECRET_KEY: trimmedText,
  GATEWAY_C_WEBHOOK_SECRET: trimmedText,
  GATEWAY_C_SECRET_KEY: trimmedText,
  MINTER_PRIVATE_KEY: commaSeparated(
    (key) => /^0x[0-9a-fA-F]{64}$/.test(key),
    'must be private keys of 0x and 64 hexadecimal digits, separated by commas',
  ),
} satisfies Record<SettingName | SecretName, z.ZodType>;

const schema = z.object(variables).partial();

/**
 * Checks settings and secrets. An absent or empty variable is valid: it means "not configured". Variables of other
 * names are ignored.
 * @returns a sentence for each invalid variable, with its name and the expected format. Sentences contain no values,
 * since any value may be a misplaced secret.
 */
export function findConfigurationErrors(values: Partial<Record<string, string>>): string[] {
  const configuredValues = Object.entries(values).filter(([, value]) => value);
  const rpcEntries = configuredValues.filter(([name]) => /^CHAIN_\d+_RPC_URLS$/.test(name));
  const rpcVariables = Object.fromEntries(rpcEntries.map(([name]) => [name, rpcUrls]));
  const { error } = schema.extend(rpcVariables).safeParse(Object.fromEntries(configuredValues));
  return (error?.issues ?? []).map(({ path: [name], message }) => `${String(name)} ${message}.`);
}
