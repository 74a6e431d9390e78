import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { settingNames, stageSettings } from '../shared/runtime/settings.ts';
import { type FunctionRow, functions } from './functions.ts';
import { mailRate } from './mail-rate.ts';

/**
 * The configuration of each stage. The defaults are below. The operator's values are in `infra/stages/<stage>.json`, or
 * in the file that `-c stageFile=…` names. Neither contains secrets; docs/deployment.md describes how to set those. The
 * stage is deployed to the account of the credentials.
 */

export const stageNames = ['dev', 'staging', 'production'] as const;
export type StageName = (typeof stageNames)[number];

const positiveInteger = z.int().positive();

/** The steady-state rate in requests per second, and the burst capacity, as API Gateway defines them. */
const throttle = z.strictObject({ rate: z.int().min(0), burst: z.int().min(0) });
export type Throttle = z.infer<typeof throttle>;

/** Warm throughput in units per second. DynamoDB's minimum is 12,000 reads and 4,000 writes. */
const warmThroughput = z.strictObject({ reads: z.int().min(12_000), writes: z.int().min(4_000) });

/** AWS WAF's range. */
const wafLimit = z.int().min(10).max(2_000_000_000);

const hostName = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case');
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'must be an origin: scheme, host and port, nothing else, never *',
});
const certificateArn = z.string().regex(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/, {
  error: 'must be the ARN of a certificate in AWS Certificate Manager',
});
/** A domain name and a certificate that covers it. */
const domain = z.strictObject({ name: hostName, certificateArn });

const settingName = z
  .enum(settingNames)
  .exclude(['STAGE', 'ALLOWED_ORIGINS', 'PASSWORD_HASH_ROUNDS', 'WEBHOOKS_TO_LOOPBACK']);
const functionEntry = z.enum(functions.map(({ entry }: FunctionRow) => entry));

const stageValues = z.strictObject({
  /** The AWS region; default the region of the credentials. Required with `front`. */
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region')
    .optional(),
  /** The origins that CORS allows: scheme, host and port, never `*`. */
  allowedOrigins: z.array(origin),
  /** The API's own domain, same-site with the origins; default the address that API Gateway assigns. */
  domain: domain.optional(),
  /** The domain of the webhooks' own API; default the address that API Gateway assigns. */
  webhookDomain: domain.optional(),
  /** The domain of the storefront, which CloudFront serves behind AWS WAF. Its certificate is in us-east-1. */
  front: domain.optional(),
  /** The firewall of the front. */
  firewall: z.strictObject({
    /**
     * The requests that an IP address may send in five minutes. Thousands of customers of a mobile carrier, and all guests
     * of a venue, share an address. The service has its own limits for each account.
     */
    requests: z.strictObject({
      login: wafLimit,
      forgotPassword: wafLimit,
      register: wafLimit,
      orders: wafLimit,
      /** Lists of events, the costliest reads that need no account. */
      lists: wafLimit,
      /** To join queues. The page of an event repeats it after the draw, and when it is reloaded. */
      queue: wafLimit,
      /** To all paths. A page loads a dozen files. */
      overall: wafLimit,
    }),
    /**
     * What AWS WAF does with the browser that orders. `challenge`: a page runs a script of AWS WAF before the browser may
     * order, so other programs can't. `bot-control`: AWS's rules refuse known bots and HTTP libraries.
     */
    ordering: z.enum(['open', 'challenge', 'bot-control']),
  }),
  /**
   * The version of ORIGIN_SECRET that CloudFront uses; default the current one at the deployment that created the front.
   * A rotation changes it: see docs/operations.md.
   */
  originSecretVersion: z
    .string()
    .regex(/^[\w-]{32,64}$/, 'must be the VersionId of a secret’s version')
    .optional(),
  /** The chains that tickets are minted on. The secret `CHAIN_<chainId>_RPC_URLS` has a chain's RPC endpoints. */
  chains: z.array(
    z.strictObject({
      chainId: positiveInteger,
      /** An alarm fires when a minting account holds fewer whole coins than this. */
      lowBalance: z.number().positive(),
    }),
  ),
  /**
   * Values of the settings that the rows in infra/functions.ts name. The stack derives STAGE and ALLOWED_ORIGINS from
   * other values, and PAYMENT_CHAINS from `chains` unless it is given.
   */
  settings: z.partialRecord(settingName, z.string()),
  /**
   * The address that receives the alarms that need somebody at once, after it confirms the subscription. The topic accepts
   * further subscriptions, such as that of a pager.
   */
  alarmEmail: z.email().optional(),
  /** The address that receives the alarms that can wait for the next working day; default `alarmEmail`. */
  ticketEmail: z.email().optional(),
  /** The URL of docs/operations.md in your repository, for links in alarms. */
  runbook: z.url().optional(),
  /** The monthly budget in US dollars. AWS Budgets notifies when the forecast exceeds it. */
  monthlyBudget: z.number().positive().optional(),
  /** Days, one of the periods that CloudWatch Logs supports. */
  logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731]),
  throttle: z.strictObject({
    /** The throttle of the webhooks' API. */
    webhook: throttle,
    /** The throttle of the API of buyers and organizers. */
    other: throttle,
  }),
  /**
   * Reserved concurrency, which is both a share of the account's quota and a limit. With it, queue consumers reserve their
   * maximum concurrency as well. By default nothing is reserved, since a new account has a quota of 10.
   */
  reservedConcurrency: z
    .strictObject({
      /** Of the webhook of each gateway with an address. */
      webhook: positiveInteger,
      /** Of creating orders: a slow payment provider occupies this many executions, and no others. */
      orders: positiveInteger,
      /** Of checking in tickets at the door. */
      checkIn: positiveInteger,
      /** Of the sweep, whose events AWS drops after a minute. */
      sweep: positiveInteger,
    })
    .optional(),
  /**
   * The mails a second that this stage may send: SES's quota of the account, or a part of it where stages share an
   * account. A new account may send 14.
   */
  mailsPerSecond: positiveInteger,
  /** Provisioned concurrency. AWS charges for it while it is allocated. */
  provisionedConcurrency: z
    .strictObject({
      entries: z.array(functionEntry).min(1),
      executions: positiveInteger,
      /** The times between which it is allocated (ISO 8601, UTC); default always. */
      from: z.iso.datetime().optional(),
      until: z.iso.datetime().optional(),
    })
    .refine(({ from, until }) => (from === undefined) === (until === undefined), {
      error: 'must have both from and until, or neither',
    })
    .optional(),
  /** The warm throughput of the table and its indexes. It can only be raised. AWS charges once for it. */
  warmThroughput: z.strictObject({ table: warmThroughput, indexes: warmThroughput }).optional(),
  /** Whether new code receives a tenth of the traffic for five minutes first, and is rolled back on an alarm. */
  canary: z.boolean(),
  /** Whether the stack retains the table, secrets and logs, and protects the table from deletion. */
  keepData: z.boolean(),
  /** Daily backups of the table in a locked vault; default none. */
  backup: z
    .strictObject({
      retentionDays: z.int().min(1).max(36_500),
      /** The days after the first deployment in which the lock can still be removed. Then it is permanent. */
      lockAfterDays: z.int().min(3).max(36_500),
    })
    .optional(),
  /** Whether X-Ray traces show each call of the table and of payment providers and chains, in its own segment. */
  traceCalls: z.boolean().optional(),
  /** Whether a function buys a free ticket every five minutes, and an alarm fires when it can't. */
  syntheticPurchase: z.boolean().optional(),
  /**
   * A table restored from a backup. Functions have permission for it and for the stack's table, so that the versions
   * before and after the switch both work. See docs/operations.md.
   */
  restoredTable: z
    .strictObject({
      name: z.string().min(3),
      /** Whether functions use it; otherwise they use the stack's table. */
      serves: z.boolean(),
    })
    .optional(),
});

export type StageConfiguration = z.infer<typeof stageValues> & { name: StageName };

const firewall: StageConfiguration['firewall'] = {
  requests: {
    login: 1_000,
    forgotPassword: 200,
    register: 500,
    orders: 2_000,
    lists: 1_500,
    queue: 2_000,
    overall: 20_000,
  },
  ordering: 'open',
};

/** The default configuration of each stage. */
export const stageDefaults: Record<StageName, StageConfiguration> = {
  dev: {
    name: 'dev',
    allowedOrigins: ['http://localhost:5173'],
    chains: [{ chainId: 80002, lowBalance: 0.5 }],
    settings: stageSettings('dev'),
    logRetentionDays: 7,
    throttle: { webhook: { rate: 50, burst: 100 }, other: { rate: 50, burst: 100 } },
    mailsPerSecond: 14,
    firewall,
    canary: false,
    keepData: false,
  },
  staging: {
    name: 'staging',
    allowedOrigins: [],
    chains: [{ chainId: 80002, lowBalance: 0.5 }],
    settings: stageSettings('staging'),
    logRetentionDays: 30,
    throttle: { webhook: { rate: 200, burst: 400 }, other: { rate: 200, burst: 400 } },
    mailsPerSecond: 14,
    firewall,
    canary: true,
    keepData: false,
  },
  production: {
    name: 'production',
    allowedOrigins: [],
    chains: [{ chainId: 137, lowBalance: 20 }],
    settings: stageSettings('production'),
    logRetentionDays: 90,
    throttle: { webhook: { rate: 1_000, burst: 2_000 }, other: { rate: 2_000, burst: 4_000 } },
    reservedConcurrency: { webhook: 100, orders: 400, checkIn: 50, sweep: 2 },
    mailsPerSecond: 14,
    firewall,
    canary: true,
    keepData: true,
  },
};

/** @throws Error for a name that is not a stage */
export function parseStageName(name: string): StageName {
  const stage = stageNames.find((candidate) => candidate === name);
  if (!stage) throw new Error(`There is no stage "${name}": choose ${stageNames.join(', ')}`);
  return stage;
}

/**
 * Returns the configuration of a stage: its defaults, overridden by the values of its file.
 * @param file the file of the values; default infra/stages/<stage>.json, which may be absent
 * @throws Error for a given file that does not exist, and for a file that is not JSON; Error that names every unknown or
 * malformed value of the file
 */
export function readStage(name: StageName, file = stageFile(name)): StageConfiguration {
  if (!existsSync(file)) {
    if (file === stageFile(name)) return stageDefaults[name];
    throw new Error(`There is no file ${file} with the values of ${name}`);
  }
  return applyValues(name, readJson(file), file);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`The file ${file} is not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Applies the operator's values to a stage's defaults. @throws Error that names every unknown or malformed value */
export function applyValues(name: StageName, overrides: unknown, source = 'the stage'): StageConfiguration {
  const { success, data, error } = stageValues.partial().safeParse(overrides);
  if (!success) {
    const errors = error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw new Error(`The values of ${name} in ${source} can't be used:\n${errors.join('\n')}`);
  }
  const defaults = stageDefaults[name];
  return { ...defaults, ...data, settings: { ...defaults.settings, ...data.settings } };
}

const stageFile = (name: StageName) => path.join(import.meta.dirname, 'stages', `${name}.json`);

/** Returns the maximum concurrency of a worker. */
export function maxConcurrency(row: FunctionRow, stage: StageConfiguration): number | undefined {
  const { trigger } = row;
  return mailRate(row, stage)?.concurrency ?? ('queue' in trigger ? trigger.maxConcurrency : undefined);
}

/** Returns whether a trigger is a webhook route, which payment providers call. */
export function isWebhook(trigger: FunctionRow['trigger']): trigger is { route: `POST /${string}` } {
  return 'route' in trigger && trigger.route.startsWith('POST /api/webhooks/');
}

/**
 * Returns a function's reserved concurrency. On a stage with `reservedConcurrency`, no function can take the executions of
 * webhooks, workers, the door and the sweep, and slow orders take none of other functions.
 */
export function reservedConcurrency(row: FunctionRow, stage: StageConfiguration): number | undefined {
  const reserved = stage.reservedConcurrency;
  if (!reserved) return undefined;
  if ('queue' in row.trigger) return maxConcurrency(row, stage);
  if (isWebhook(row.trigger)) return usesGatewayOf(row.entry, stage) ? reserved.webhook : undefined;
  switch (row.entry) {
    case 'orders/initialize-order':
      return reserved.orders;
    case 'tickets/check-in':
      return reserved.checkIn;
    case 'workers/sweep':
      return reserved.sweep;
  }
}

/**
 * Returns whether a stage uses what belongs to a gateway, such as GATEWAY_A_SECRET or webhooks/gateway-a: only with the
 * gateway's address. Of any other name it returns true.
 */
export function usesGatewayOf(name: string, { settings }: StageConfiguration): boolean {
  const [, letter] = /gateway[-_]([abc])/i.exec(name) ?? [];
  return !letter || Boolean(settings[`GATEWAY_${letter.toUpperCase()}_URL` as 'GATEWAY_A_URL']);
}
