import * as z from 'zod';
import { currencies } from '../core/money.ts';
import { checksumAddress, gatewayNames, splitList, walletAddress } from '../core/schemas.ts';

/** What the local stack knows only when it starts. */
interface LocalParts {
  apiUrl: string;
  sandboxUrl: string;
  minterKey: string;
  treasury: string;
}

interface Setting {
  /** For the README's table. */
  meaning: string;
  schema: z.ZodType<string>;
  /** Stored in Secrets Manager on AWS. The stack generates its value, or an operator sets it. */
  secret?: 'generated' | 'operator';
  /** Default values: of every stage and the local stack, of one stage, of the local stack. */
  values?: {
    every?: string;
    dev?: string;
    staging?: string;
    production?: string;
    local?: string | ((parts: LocalParts) => string);
  };
}

const textMatching = (isValid: (text: string) => boolean, rule: string) => z.string().refine(isValid, rule);

/** A comma-separated list with at least one entry. */
const commaSeparated = (isValid: (entry: string) => boolean, rule: string) =>
  textMatching((text) => {
    const entries = splitList(text);
    return entries.length > 0 && entries.every(isValid);
  }, rule);

/** Returns the blocks of a PEM text: certificates and keys. */
export const splitPem = (text: string): string[] =>
  text.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];

const isPassCertificate = (text: string) => {
  const keys = splitPem(text).filter((block) => block.includes(' PRIVATE KEY-----'));
  return splitPem(text).length === 3 && keys.length === 1;
};

/** The parts of a Google service account's key that sign links. */
const serviceAccount = z.object({ client_email: z.string(), private_key: z.string() });
export const parseServiceAccount = (text: string) => serviceAccount.parse(JSON.parse(text));

const isServiceAccount = (text: string) => {
  try {
    parseServiceAccount(text);
    return true;
  } catch {
    return false;
  }
};

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

/**
 * Every setting and secret, each in one row: the validation of its value, its defaults and the README's table come from
 * it. Functions read the values by name (config.ts). The local secrets are public; this is safe because the local stack
 * accepts connections from this machine only.
 */
export const settings = {
  JWT_ACCESS_SECRET: {
    meaning: 'keys of access tokens, comma-separated: the first signs, all verify',
    schema: keys,
    secret: 'generated',
    values: { local: 'development-only-access-Qm4vX8cT1nZ6rL0wYb7KjH3sDp9GfUe2' },
  },
  JWT_REFRESH_SECRET: {
    meaning: 'keys of refresh tokens, as above',
    schema: keys,
    secret: 'generated',
    values: { local: 'development-only-refresh-a7RkW2uN9xE5tB0oVi3MyC6qLh8ZdJs4' },
  },
  CHECK_IN_SECRET: {
    meaning: 'keys of check-in codes, as above',
    schema: keys,
    secret: 'generated',
    values: { local: 'development-only-check-in-r8GtLw3ZcQ6bNy1VhXo5MuKe7PsJd0Fa' },
  },
  ORDER_ACCESS_SECRET: {
    meaning: 'keys of the access tokens of guests’ orders, as above',
    schema: keys,
    secret: 'generated',
    values: { local: 'development-only-order-access-d6VhRk0TzPq9Xw4CnLs3Ym8GbJe1Fu7Ai' },
  },
  GATEWAY_A_SECRET: {
    meaning: 'keys of gateway-a, comma-separated: the first authenticates API calls, all verify webhooks',
    schema: keys,
    secret: 'operator',
    values: { local: 'development-only-gateway-a-5PzKe8YwQ1tVn3RbXm7c' },
  },
  GATEWAY_A_URL: {
    meaning: 'the address of gateway-a’s API; a gateway without an address is not offered',
    schema: httpAddress,
    values: { local: ({ sandboxUrl }) => `${sandboxUrl}/gateway-a` },
  },
  GATEWAY_A_NAME: {
    meaning: 'the name of gateway-a in the list of ways to pay, such as `Card`; if empty, `Online payment A`',
    schema: label,
    values: { every: 'Card' },
  },
  GATEWAY_A_SIGNATURE_HEADER: {
    meaning: 'the header with the signature of gateway-a’s webhooks; default `x-gateway-a-signature`',
    schema: z.string().regex(/^[\w-]+$/, 'must be the name of an HTTP header'),
    values: { every: 'x-gateway-a-signature' },
  },
  GATEWAY_B_SECRET_HASH: {
    meaning: 'secrets of gateway-b’s webhooks, comma-separated: all are accepted',
    schema: keys,
    secret: 'operator',
    values: { local: 'development-only-gateway-b-hash-J2fLq9UsHd6Ao4Wg' },
  },
  GATEWAY_B_SECRET_KEY: {
    meaning: 'gateway-b’s API key',
    schema: trimmedText,
    secret: 'operator',
    values: { local: 'development-only-gateway-b-key-T8iNc0EyBv5Mx1Rk' },
  },
  GATEWAY_B_URL: {
    meaning: 'the address of gateway-b’s API',
    schema: httpAddress,
    values: { local: ({ sandboxUrl }) => `${sandboxUrl}/gateway-b` },
  },
  GATEWAY_B_NAME: {
    meaning: 'the name of gateway-b, as above; if empty, `Online payment B`',
    schema: label,
    values: { every: 'Bank transfer' },
  },
  GATEWAY_C_WEBHOOK_SECRET: {
    meaning: 'secrets of gateway-c’s webhooks, comma-separated: all are accepted',
    schema: keys,
    secret: 'operator',
    values: { local: 'development-only-gateway-c-webhook-Z3hGu7PoLw9Sd2' },
  },
  GATEWAY_C_SECRET_KEY: {
    meaning: 'gateway-c’s API key',
    schema: trimmedText,
    secret: 'operator',
    values: { local: 'development-only-gateway-c-key-F6jCt4KaYq0Vb8Xe' },
  },
  GATEWAY_C_URL: {
    meaning: 'the address of gateway-c’s API',
    schema: httpAddress,
    values: { local: ({ sandboxUrl }) => `${sandboxUrl}/gateway-c` },
  },
  GATEWAY_C_NAME: {
    meaning: 'the name of gateway-c, as above; if empty, `Online payment C`',
    schema: label,
    values: { every: 'International card' },
  },
  DEFAULT_GATEWAY: {
    meaning: 'the gateway of orders that do not name one; default `gateway-a`',
    schema: z.enum(gatewayNames, `must be one of ${gatewayNames.join(', ')}`),
    values: { every: 'gateway-a' },
  },
  VERIFY_WITH_GATEWAY: {
    meaning: '`true`: confirm a payment with the gateway before a webhook completes an order',
    schema: z.enum(['true', 'false'], 'must be true or false'),
    values: { every: 'true', local: 'false' },
  },
  MINTER_PRIVATE_KEY: {
    meaning: 'keys of the accounts that mint, comma-separated',
    schema: commaSeparated(
      (key) => /^0x[0-9a-fA-F]{64}$/.test(key),
      'must be private keys of 0x and 64 hexadecimal digits, separated by commas',
    ),
    secret: 'operator',
    values: { local: ({ minterKey }) => minterKey },
  },
  MINTER_KMS_KEYS: {
    meaning: 'ARNs of keys in AWS KMS that sign for minting accounts, comma-separated; on AWS only',
    schema: commaSeparated(
      (entry) => /^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/.test(entry),
      'must be the ARNs of KMS keys, separated by commas',
    ),
  },
  TICKET_CONTRACTS: {
    meaning:
      'the platform’s own ticket contracts, comma-separated `<chainId>:<address>`; locally the stack’s contract',
    schema: commaSeparated((entry) => {
      const [, address = ''] = /^\d+:(\w+)$/.exec(entry) ?? [];
      return isChainAddress(address);
    }, 'must be contracts as <chain id>:<address>, separated by commas'),
  },
  TREASURY_ADDRESS: {
    meaning: 'the account that receives crypto payments',
    schema: walletAddress,
    values: { local: ({ treasury }) => treasury },
  },
  PAYMENT_CHAINS: {
    meaning: 'ids of the chains for crypto payments, comma-separated; default: the chains with RPC endpoints',
    schema: commaSeparated((entry) => /^[1-9]\d*$/.test(entry), 'must be chain ids, separated by commas'),
  },
  CHAIN_TOKENS: {
    meaning:
      'contracts of tokens that differ from the built-in ones, comma-separated `<chainId>:<currency>=<address>`',
    schema: commaSeparated((entry) => {
      const [, currency, address = ''] = /^\d+:(\w+)=(\w+)$/.exec(entry) ?? [];
      return currencies.some((known) => known === currency) && isChainAddress(address);
    }, 'must be tokens as <chain id>:<currency>=<address>, separated by commas'),
  },
  CHAIN_GAS_RATIOS: {
    meaning:
      'the largest accepted ratio of a node’s gas estimate to the expected gas, for chains on which it is not 2, comma-separated `<chainId>=<ratio>`',
    schema: commaSeparated((entry) => {
      const [, ratio] = /^[1-9]\d*=(\d+(?:\.\d+)?)$/.exec(entry) ?? [];
      return Number(ratio) >= 1;
    }, 'must be ratios of at least 1 as <chain id>=<ratio>, separated by commas'),
  },
  MINT_BUMP_SECONDS: {
    meaning: 'how long a mint may wait for a block before it is sent again with a higher fee; default 60',
    schema: seconds,
  },
  MINT_CHECK_SECONDS: {
    meaning:
      'when a new mint is checked for the first time; default: when the blocks of its chain are usually final',
    schema: seconds,
    values: { local: '2' },
  },
  ORIGIN_SECRET: {
    meaning:
      'values, comma-separated, that CloudFront adds to requests, so that the service trusts the viewer’s address in CloudFront’s header',
    schema: keys,
    secret: 'generated',
    values: { local: 'development-only-origin-u5XbYc2KqMz9Wd7TnRf4Jh8Lp1Ge6Vs3' },
  },
  APPLE_PASS_CERTIFICATE: {
    meaning:
      'for Apple Wallet, in PEM: the certificate of the pass type, its private key, and Apple’s intermediate certificate; default: no passes for Apple Wallet',
    schema: textMatching(isPassCertificate, 'must be two certificates and an unencrypted private key in PEM'),
    secret: 'operator',
  },
  GOOGLE_WALLET_KEY: {
    meaning:
      'for Google Wallet: the JSON key of the service account that signs passes; default: no passes for Google Wallet',
    schema: textMatching(isServiceAccount, 'must be the JSON key of a service account'),
    secret: 'operator',
  },
  GOOGLE_WALLET_ISSUER: {
    meaning: 'the id of the issuer account at Google Wallet',
    schema: z.string().regex(/^\d+$/, 'must be a number'),
    values: { local: '3388000000000000000' },
  },
  ALLOWED_ORIGINS: {
    meaning: 'origins that browsers may call from, comma-separated',
    schema: commaSeparated(
      isOrigin,
      'must be origins such as https://example.com, without a path, separated by commas',
    ),
    values: { local: ({ apiUrl }) => apiUrl },
  },
  HOLD_MINUTES: {
    meaning: 'how long an unpaid order holds its tickets; default 15',
    schema: textMatching(
      (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
      'must be a number of minutes above 0',
    ),
    values: { every: '15' },
  },
  OFFER_HOURS: {
    meaning: 'how long an offer to the waiting list holds its tickets; default 24',
    schema: textMatching(
      (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.5,
      'must be a number of hours, at least 0.5',
    ),
    values: { every: '24' },
  },
  QUEUE_TURN_MINUTES: {
    meaning: 'how long a person who was admitted from a queue can order; default 10',
    schema: textMatching(
      (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
      'must be a number of minutes above 0',
    ),
    values: { every: '10' },
  },
  QUEUE_PLACES_PER_ADDRESS: {
    meaning: 'places in the queue of an event from one IP address; default: no limit',
    schema: countAboveZero,
    values: { production: '100' },
  },
  OPEN_ORDERS_PER_USER: {
    meaning: 'unpaid orders that a user may have for one event; default: no limit',
    schema: countAboveZero,
    values: { production: '5' },
  },
  ORDERS_NEED_VERIFIED_EMAIL: {
    meaning: '`true`: ordering needs a confirmed e-mail address; default `false`',
    schema: z.enum(['true', 'false'], 'must be true or false'),
  },
  HOLD_PAUSE_SECONDS: {
    meaning:
      'the pause before a buyer’s next order for an event after two that were not paid, doubled after each further one of a day; default: no pause',
    schema: countAboveZero,
    values: { production: '60' },
  },
  UNPAID_ORDERS_PER_ADDRESS: {
    meaning:
      'orders for an event from one IP address, by guests and by accounts without a confirmed address, that may end unpaid a day; after more of them the pause above is for the address; default: no pause',
    schema: countAboveZero,
    values: { production: '20' },
  },
  GUEST_ORDERS_PER_HOUR: {
    meaning: 'orders without an account an hour from one address; default: no limit',
    schema: countAboveZero,
    values: { production: '30' },
  },
  PUBLISHING_NEEDS_VERIFIED_EMAIL: {
    meaning: '`true`: publishing an event needs a confirmed e-mail address; default `false`',
    schema: z.enum(['true', 'false'], 'must be true or false'),
    values: { production: 'true' },
  },
  PUBLISHED_EVENTS_PER_DAY: {
    meaning: 'events that an organizer can publish a day; default: no limit',
    schema: countAboveZero,
    values: { production: '50' },
  },
  EVENTS_PER_DAY: {
    meaning: 'events that an organizer can create a day, with drafts; default: no limit',
    schema: countAboveZero,
    values: { production: '200' },
  },
  WAITING_LIST_NEEDS_VERIFIED_EMAIL: {
    meaning: '`true`: joining a waiting list needs a confirmed e-mail address; default `false`',
    schema: z.enum(['true', 'false'], 'must be true or false'),
    values: { production: 'true' },
  },
  OFFER_AS_LONG_AS_WAITED: {
    meaning:
      '`true`: an offer of the waiting list holds its tickets as long as its person has waited, from 30 minutes to `OFFER_HOURS`; default `false`: for `OFFER_HOURS`',
    schema: z.enum(['true', 'false'], 'must be true or false'),
    values: { production: 'true' },
  },
  REGISTRATIONS_PER_HOUR: {
    meaning: 'registrations an hour from one address; default: no limit',
    schema: countAboveZero,
    // Per IP address, which a household or an office shares. A mobile carrier’s network may need a higher limit.
    values: { production: '30' },
  },
  PASSWORD_HASH_ROUNDS: {
    meaning:
      'the work of a password’s bcrypt hash, as a power of two; default 12, which stages on AWS can’t change (tests use less)',
    schema: z.string().regex(/^([4-9]|1[0-5])$/, 'must be a number from 4 to 15'),
  },
  STEP_UP: {
    meaning:
      '`true`: what moves money or rights needs a session that was confirmed in the last ten minutes; default `false`',
    schema: z.enum(['true', 'false'], 'must be true or false'),
    values: { production: 'true' },
  },
  NEW_ACCOUNT_HOURS: {
    meaning: 'hours that the first payouts to a bank account wait; default 0',
    schema: z.string().regex(/^\d{1,3}$/, 'must be a whole number of hours'),
    values: { production: '48' },
  },
  REQUIRE_SECOND_FACTOR: {
    meaning:
      '`payouts`: payouts need an account with a passkey or an authenticator app; default: nothing does',
    schema: z.literal('payouts', 'must be payouts'),
    values: { production: 'payouts' },
  },
  PAYOUTS_FROM: {
    meaning:
      'when earnings can be paid out: `sale`, at once (the default), or `event`, when the event has ended',
    schema: z.enum(['sale', 'event'], 'must be sale or event'),
    values: { production: 'event' },
  },
  PAYOUT_HOLD_DAYS: {
    meaning:
      'with PAYOUTS_FROM=event, how many days after the end of an event its earnings can be paid out; default 0',
    schema: z.string().regex(/^\d{1,3}$/, 'must be a whole number of days'),
    values: { production: '3' },
  },
  RETENTION_DAYS: {
    meaning: 'days to retain notifications (default: unlimited) and sent or failed mails (default: 90)',
    schema: countAboveZero,
  },
  RETRY_SECONDS: {
    meaning: 'the wait before a payout or refund is retried, doubled each time; default 300',
    schema: seconds,
    // A developer sees the retries of a failed payout or refund at once.
    values: { local: '0.25' },
  },
  WEBHOOK_PAUSE_FACTOR: {
    meaning: 'scales the pauses between the attempts of a webhook; default 1',
    schema: seconds,
    values: { local: '0.01' },
  },
  WEBHOOK_TIMEOUT_SECONDS: {
    meaning: 'how long an attempt of a webhook waits for its answer; default 10',
    schema: seconds,
    values: { local: '2' },
  },
  WEBHOOKS_TO_LOOPBACK: {
    meaning: '`true`: webhooks may be sent to this machine, also by http; stages on AWS can’t',
    schema: z.enum(['true', 'false'], 'must be true or false'),
    values: { local: 'true' },
  },
  STOCK_SHARD_SIZE: {
    meaning: 'tickets per shard of a tier’s inventory, which has at most 16 shards; default 1,000',
    schema: countAboveZero,
  },
  STAGE: {
    meaning: 'the name of the stage, in logs and metrics',
    schema: z.string().regex(/^[\w-]+$/, 'must be the name of a stage'),
    values: { local: 'local' },
  },
  PUBLIC_URL: {
    meaning:
      'the frontend’s address, without a final slash: the gateways redirect buyers to its `/orders/{id}`; locally the storefront',
    schema: baseAddress,
    // The local API server also serves the storefront.
    values: { dev: 'http://localhost:5173', local: ({ apiUrl }) => apiUrl },
  },
  SHOP_NAME: {
    meaning:
      'the name of the shop in previews of its pages, calendar files, passkeys, authenticator apps and what wallets sign; its pages have that of `config.json`',
    schema: label,
    values: { every: 'Boxoffice' },
  },
  MAIL_FROM: {
    meaning:
      'the sender of mails: `Tickets <tickets@example.com>`; empty: no mail is sent; locally they go to the mailbox',
    schema: z
      .string()
      .regex(
        /^(?:[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'must be an address such as tickets@example.com or Tickets <tickets@example.com>',
      ),
    values: { local: 'Boxoffice <tickets@boxoffice.test>' },
  },
} satisfies Record<string, Setting>;

type Settings = typeof settings;
export type SecretName = {
  [Name in keyof Settings]: Settings[Name] extends { secret: string } ? Name : never;
}[keyof Settings];
export type SettingName = Exclude<keyof Settings, SecretName>;

const rows = Object.entries<Setting>(settings);
export const secretNames = rows.flatMap(([name, { secret }]) => (secret ? [name as SecretName] : []));
export const settingNames = rows.flatMap(([name, { secret }]) => (secret ? [] : [name as SettingName]));
/** Secrets that no other system issues or needs. */
export const generatedSecrets = rows.flatMap(([name, { secret }]) =>
  secret === 'generated' ? [name as SecretName] : [],
);

/** Returns the default settings of a stage. */
export function stageSettings(stage: 'dev' | 'staging' | 'production'): Partial<Record<SettingName, string>> {
  return definedEntries(({ values }) => values?.[stage] ?? values?.every);
}

/** Returns the settings and secrets of the local stack. */
export function localSettings(parts: LocalParts): Partial<Record<SettingName | SecretName, string>> {
  return definedEntries(({ values }) => {
    const value = values?.local ?? values?.every;
    return typeof value === 'function' ? value(parts) : value;
  });
}

function definedEntries(read: (setting: Setting) => string | undefined) {
  return Object.fromEntries(
    rows.flatMap(([name, setting]) => {
      const value = read(setting);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const schema = z.object(Object.fromEntries(rows.map(([name, row]) => [name, row.schema]))).partial();

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
