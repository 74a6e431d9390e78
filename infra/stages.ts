import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { settingNames } from '../shared/runtime/config.ts';
import { type FunctionRow, functions } from './functions.ts';

/**
 * What differs between the stages, and everything an operator decides. The defaults are below; the values that only
 * an operator knows stand in `infra/stages/<stage>.json`, or in the file that `-c stageFile=…` names. Nothing secret
 * stands in either: docs/operations.md says how secrets are filled. The account is that of the credentials.
 */

export const stageNames = ['dev', 'staging', 'production'] as const;
export type StageName = (typeof stageNames)[number];

const count = z.int().positive();

/** Requests per second in the long run, and how many may come at once. */
const throttle = z.strictObject({ rate: z.int().min(0), burst: z.int().min(0) });
export type Throttle = z.infer<typeof throttle>;

/** Units per second that the table, or an index, serves at once. DynamoDB's own minimum is 12,000 and 4,000. */
const warmThroughput = z.strictObject({ reads: z.int().min(12_000), writes: z.int().min(4_000) });

const hostName = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case');
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'must be an origin: scheme, host and port, nothing else, never *',
});
const certificateArn = z.string().regex(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/, {
  error: 'must be the ARN of a certificate in AWS Certificate Manager',
});
/** A domain name and a certificate that covers it. */
const domain = z.strictObject({ name: hostName, certificateArn });

const settings = z.enum(settingNames).exclude(['STAGE', 'ALLOWED_ORIGINS']);
const entries = z.enum(functions.map(({ entry }: FunctionRow) => entry));

const values = z.strictObject({
  /** The AWS region; without one, that of the credentials. The front needs it. */
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region')
    .optional(),
  /** Origins whose pages may call the API from a browser, exact: scheme, host, port. Never `*`. */
  allowedOrigins: z.array(origin),
  /** Where the API answers; without one, at the address that API Gateway gives it. Same-site with the origins. */
  domain: domain.optional(),
  /** The storefront, through CloudFront and AWS WAF, at a domain of its own. Its certificate is in us-east-1. */
  front: domain.optional(),
  /** Chains that tickets are minted on. Each has its RPC endpoints in a secret, `CHAIN_<chainId>_RPC_URLS`. */
  chains: z.array(
    z.strictObject({
      chainId: count,
      /** An alarm fires when a minting account holds fewer whole coins than this. */
      lowBalance: z.number().positive(),
    }),
  ),
  /** What the rows name. A name that is absent or empty is not configured; STAGE and ALLOWED_ORIGINS follow. */
  settings: z.partialRecord(settings, z.string()),
  /** Receives the alarms, once it has confirmed the subscription. More addresses can subscribe to the topic. */
  alarmEmail: z.email().optional(),
  /** The address of docs/operations.md, as your repository shows it: alarms link to it. */
  runbook: z.url().optional(),
  /** US dollars a month. AWS Budgets reports when the stage is expected to exceed them. */
  monthlyBudget: z.number().positive().optional(),
  /** A period that CloudWatch Logs knows, in days. */
  logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731]),
  throttle: z.strictObject({
    /** Of each webhook route, apart from everything else. */
    webhook: throttle,
    /** Of each other route. */
    other: throttle,
  }),
  /**
   * Concurrent executions that each webhook has to itself (and as its most), and whether queue consumers have
   * theirs. Absent: nothing is reserved, since a new account has only 10 in all.
   */
  webhookConcurrency: count.optional(),
  /** Execution environments that are kept initialized. They cost money for as long as they are. */
  provisionedConcurrency: z
    .strictObject({
      entries: z.array(entries).min(1),
      executions: count,
      /** Only between these times (ISO 8601, UTC); without them, always. */
      from: z.iso.datetime().optional(),
      until: z.iso.datetime().optional(),
    })
    .refine(({ from, until }) => (from === undefined) === (until === undefined), {
      error: 'has both from and until, or neither',
    })
    .optional(),
  /** What table and indexes serve from the first second of a sale. It can only be raised, and is paid once. */
  warmThroughput: z.strictObject({ table: warmThroughput, indexes: warmThroughput }).optional(),
  /** Whether new code first takes a tenth of the traffic for five minutes, and is rolled back on alarm. */
  canary: z.boolean(),
  /** Whether table, secrets and logs survive the deletion of the stack, and the table can't be deleted. */
  keepData: z.boolean(),
  /**
   * After a restore: functions may use this table and the stack's own, so that versions before and after the switch
   * both work. See docs/operations.md.
   */
  restoredTable: z
    .strictObject({
      name: z.string().min(3),
      /** Whether it serves; otherwise the stack's own table does. */
      serves: z.boolean(),
    })
    .optional(),
});

export type StageConfiguration = z.infer<typeof values> & { name: StageName };

const commonSettings = {
  DEFAULT_GATEWAY: 'gateway-a',
  GATEWAY_A_SIGNATURE_HEADER: 'x-gateway-a-signature',
  HOLD_MINUTES: '15',
  VERIFY_WITH_GATEWAY: 'true',
} as const;

/** What a stage has unless its file says otherwise. */
export const stageDefaults: Record<StageName, StageConfiguration> = {
  dev: {
    name: 'dev',
    allowedOrigins: ['http://localhost:5173'],
    chains: [{ chainId: 80002, lowBalance: 0.5 }],
    settings: { ...commonSettings, PUBLIC_URL: 'http://localhost:5173' },
    logRetentionDays: 7,
    throttle: { webhook: { rate: 50, burst: 100 }, other: { rate: 50, burst: 100 } },
    canary: false,
    keepData: false,
  },
  staging: {
    name: 'staging',
    allowedOrigins: [],
    chains: [{ chainId: 80002, lowBalance: 0.5 }],
    settings: commonSettings,
    logRetentionDays: 30,
    throttle: { webhook: { rate: 200, burst: 400 }, other: { rate: 200, burst: 400 } },
    canary: true,
    keepData: false,
  },
  production: {
    name: 'production',
    allowedOrigins: [],
    chains: [{ chainId: 137, lowBalance: 20 }],
    settings: {
      ...commonSettings,
      // A household, an office, a café share an address; a carrier's network may need more.
      REGISTRATIONS_PER_HOUR: '30',
      OPEN_ORDERS_PER_USER: '5',
      PAYOUTS_FROM: 'event',
    },
    logRetentionDays: 90,
    throttle: { webhook: { rate: 1_000, burst: 2_000 }, other: { rate: 2_000, burst: 4_000 } },
    webhookConcurrency: 100,
    canary: true,
    keepData: true,
  },
};

/** @throws Error for a name that is no stage's */
export function parseStageName(name: string): StageName {
  const stage = stageNames.find((candidate) => candidate === name);
  if (!stage) throw new Error(`There is no stage "${name}": choose ${stageNames.join(', ')}`);
  return stage;
}

/**
 * The configuration of a stage: its defaults, and over them the values of its file.
 * @param file where the values stand; by default infra/stages/<stage>.json, which dev can do without
 * @throws Error that names every value of the file that is unknown or malformed
 */
export function readStage(name: StageName, file = stageFile(name)): StageConfiguration {
  if (!existsSync(file)) {
    if (file === stageFile(name)) return stageDefaults[name];
    throw new Error(`There is no file ${file} with the values of ${name}`);
  }
  return applyValues(name, JSON.parse(readFileSync(file, 'utf8')), file);
}

/** @throws Error that names every value that is unknown or malformed */
export function applyValues(name: StageName, given: unknown, source = 'the stage'): StageConfiguration {
  const { success, data, error } = values.partial().safeParse(given);
  if (!success) {
    const faults = error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw new Error(`The values of ${name} in ${source} can't be used:\n${faults.join('\n')}`);
  }
  const defaults = stageDefaults[name];
  return { ...defaults, ...data, settings: { ...defaults.settings, ...data.settings } };
}

const stageFile = (name: StageName) => path.join(import.meta.dirname, 'stages', `${name}.json`);
