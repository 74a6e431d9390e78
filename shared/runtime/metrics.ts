import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { optional } from './config.ts';

/** What is counted. infra/constructs/monitoring/alarm-list.ts watches these names. */
export type Counter =
  | 'OrdersCompleted'
  /** Paid too little or in another currency; a person must look. */
  | 'PaymentsUnderReview'
  /** Paid, and no seat left. */
  | 'RefundsDue'
  /** Signed by a gateway, but not understood. */
  | 'WebhooksUnknown'
  | 'OrdersExpired'
  /** An order was paid after its code was used up. */
  | 'CodeOverruns'
  /** Sent five times without success; the organizer must see to the account. */
  | 'PayoutsFailed'
  /** The gateway refused five times to give money back; a person must look, and ask again. */
  | 'RefundsFailed'
  /** Paid on a chain: an operator must send it back, see infra/operator/complete-refund.ts. */
  | 'RefundsByHand'
  | 'MintsFailed'
  /** A contract refused to burn refunded tickets; a person must look. */
  | 'BurnsFailed'
  /** Waiting for the chain longer than they should. */
  | 'MintsStuck'
  | 'MailsSent'
  /** Attempts that did not succeed: the mail service is down, throttles, or is not set up. */
  | 'MailsPostponed'
  /** Refused by the mail service for good, or not sent within three days. */
  | 'MailsFailed'
  /** Messages the sweep had to send because the first attempt failed. */
  | 'OutboxResent';

/** Adds `value` to a counter. */
export function count(name: Counter, value = 1): void {
  // An empty set: the alarms watch the counter without dimensions.
  singleMetric().addDimensions({}).addMetric(name, MetricUnit.Count, value);
}

/** What a minting account still has for gas, in whole coins of its chain (not wei). */
export function minterBalance(chainId: number, signer: string, coins: number): void {
  const chain = String(chainId);
  // By chain alone too: its alarm watches the poorest signer without knowing their addresses.
  for (const dimensions of [{ chain }, { chain, signer }] as Record<string, string>[]) {
    singleMetric().addDimensions(dimensions).addMetric('MinterBalance', MetricUnit.NoUnit, coins);
  }
}

/**
 * A metric in CloudWatch's embedded format, written as soon as it is added: nothing waits for the end of the invocation,
 * which a timeout would not reach. Stages may share an account, so that each has its own namespace.
 */
function singleMetric(): Metrics {
  const metrics = new Metrics({
    namespace: optional('METRICS_NAMESPACE') ?? 'boxoffice',
    singleMetric: true,
  });
  // The dimension `service`, which alarms don't name.
  metrics.clearDefaultDimensions();
  return metrics;
}
