import type { SettingName } from '../shared/runtime/config.ts';

/**
 * What differs between the stages, and everything an operator decides. Region and account are those of whoever
 * deploys. Nothing secret stands here: see docs/operations.md for how secrets are filled.
 */

export const stageNames = ['dev', 'staging', 'production'] as const;
export type StageName = (typeof stageNames)[number];

/** Requests per second in the long run, and how many may come at once. */
export interface Throttle {
  rate: number;
  burst: number;
}

export interface StageConfiguration {
  name: StageName;
  /** Origins whose pages may call the API from a browser, exact: scheme, host, port. Never `*`. */
  allowedOrigins: readonly string[];
  /** Without one the API answers at the address that API Gateway gives it. */
  domain?: {
    name: string;
    /** A certificate for the name in AWS Certificate Manager, in the region of the stage. */
    certificateArn: string;
  };
  /** Chains that tickets are minted on. Each has its RPC endpoints in a secret, `CHAIN_<chainId>_RPC_URLS`. */
  chains: readonly {
    chainId: number;
    /** An alarm tells when a minting account has fewer whole coins left than this. */
    lowBalance: number;
  }[];
  /** What the rows name. A name that is absent or empty is not configured; STAGE and ALLOWED_ORIGINS follow. */
  settings: Partial<Record<Exclude<SettingName, 'STAGE' | 'ALLOWED_ORIGINS'>, string>>;
  /** Who gets the alarms; the address has to confirm once. More can subscribe to the topic. */
  alarmEmail?: string;
  /** One of the periods that CloudWatch knows: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, … */
  logRetentionDays: number;
  throttle: {
    /** Of each webhook route, apart from everything else. */
    webhook: Throttle;
    /** Of each other route. */
    other: Throttle;
  };
  /**
   * Concurrent executions that each webhook has to itself (and as its most), and whether queue consumers have
   * theirs. Absent: nothing is reserved, since a new account has only 10 in all.
   */
  webhookConcurrency?: number;
  /** Whether new code first takes a tenth of the traffic for five minutes, and is rolled back on alarm. */
  canary: boolean;
  /** Whether table, secrets and logs survive the deletion of the stack, and the table can't be deleted. */
  keepData: boolean;
  /** Set after a restore: the table that serves instead of the stack's own. See docs/operations.md. */
  restoredTable?: string;
}

const common = {
  DEFAULT_GATEWAY: 'gateway-a',
  GATEWAY_A_SIGNATURE_HEADER: 'x-gateway-a-signature',
  HOLD_MINUTES: '15',
  VERIFY_WITH_GATEWAY: 'true',
} as const;

export const stages: Record<StageName, StageConfiguration> = {
  dev: {
    name: 'dev',
    allowedOrigins: ['http://localhost:5173'],
    chains: [{ chainId: 80002, lowBalance: 0.5 }],
    settings: { ...common, PUBLIC_URL: 'http://localhost:5173' },
    logRetentionDays: 7,
    throttle: { webhook: { rate: 50, burst: 100 }, other: { rate: 50, burst: 100 } },
    canary: false,
    keepData: false,
  },
  staging: {
    name: 'staging',
    allowedOrigins: ['https://staging.boxoffice.example'],
    chains: [{ chainId: 80002, lowBalance: 0.5 }],
    settings: { ...common, PUBLIC_URL: 'https://staging.boxoffice.example' },
    logRetentionDays: 30,
    throttle: { webhook: { rate: 200, burst: 400 }, other: { rate: 200, burst: 400 } },
    canary: true,
    keepData: false,
  },
  production: {
    name: 'production',
    allowedOrigins: ['https://boxoffice.example'],
    chains: [{ chainId: 137, lowBalance: 20 }],
    settings: { ...common, PUBLIC_URL: 'https://boxoffice.example' },
    logRetentionDays: 90,
    throttle: { webhook: { rate: 1_000, burst: 2_000 }, other: { rate: 2_000, burst: 4_000 } },
    webhookConcurrency: 100,
    canary: true,
    keepData: true,
  },
};

/** @throws Error for a name that is no stage's */
export function stageCalled(name: string): StageConfiguration {
  const stage = Object.values(stages).find((candidate) => candidate.name === name);
  if (!stage) throw new Error(`There is no stage "${name}": choose ${stageNames.join(', ')}`);
  return stage;
}
