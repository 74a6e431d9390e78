import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { optionalSetting } from './config.ts';

/** The names of the counters, which infra/constructs/monitoring/alarm-list.ts watches. */
export type Counter =
  | 'OrdersCompleted'
  /** Paid too little or in another currency; an operator must review the order. */
  | 'PaymentsUnderReview'
  /** Paid when no ticket was left. */
  | 'RefundsDue'
  /** Authentic, but of an unknown kind or without an order or payout. */
  | 'WebhooksUnknown'
  | 'OrdersExpired'
  /** An order was paid after its discount code was used up. */
  | 'CodeOverruns'
  /** Refused five times; the organizer must correct the bank account. */
  | 'PayoutsFailed'
  /** The gateway refused a refund five times; an operator must review it and retry. */
  | 'RefundsFailed'
  /** Refunds of payments on a chain, which an operator must send: see infra/ops/orders.ts. */
  | 'RefundsByHand'
  | 'MintsFailed'
  /** A contract refused to burn refunded tickets; an operator must review it. */
  | 'BurnsFailed'
  /** Transactions that wait for the chain longer than expected. */
  | 'MintsStuck'
  | 'MailsSent'
  /** Failed attempts: the mail service is down, throttles, or is not configured. */
  | 'MailsPostponed'
  /** Permanently refused by the mail service, or not sent within three days. */
  | 'MailsFailed'
  /** Messages that the sweep sent: the first attempt failed, or the work is first queued by the sweep. */
  | 'OutboxResent';

/** Adds `value` to a counter. */
export function incrementCounter(name: Counter, value = 1): void {
  // An empty set of dimensions: the alarms watch the counter without dimensions.
  singleMetric().addDimensions({}).addMetric(name, MetricUnit.Count, value);
}

/** Reports the balance of a minting account, in whole coins of its chain (not wei). */
export function reportMinterBalance(chainId: number, signer: string, coins: number): void {
  const chain = String(chainId);
  // Also without the signer: the alarm watches the lowest balance on the chain.
  for (const dimensions of [{ chain }, { chain, signer }] as Record<string, string>[]) {
    singleMetric().addDimensions(dimensions).addMetric('MinterBalance', MetricUnit.NoUnit, coins);
  }
}

let cachedMetrics: Metrics | undefined;

/**
 * Writes each metric at once, in CloudWatch's embedded format, since an invocation that times out does not flush.
 * Stages may share an account, so each stage has its own namespace.
 */
function singleMetric(): Metrics {
  if (cachedMetrics) return cachedMetrics;
  cachedMetrics = new Metrics({
    namespace: optionalSetting('METRICS_NAMESPACE') ?? 'boxoffice',
    singleMetric: true,
  });
  // Removes the dimension `service`, which the alarms do not use.
  cachedMetrics.clearDefaultDimensions();
  return cachedMetrics;
}
