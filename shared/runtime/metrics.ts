import { optional } from './config.ts';
import { writeLine } from './log.ts';

/**
 * Metrics in CloudWatch's embedded format: a JSON line in the log from which CloudWatch makes the metric, without
 * a request. Powertools for AWS Lambda writes the same lines, for 16 KB and 1.5 ms of every cold start (its logger
 * for 24 KB and 4 ms, more than the whole health check may weigh).
 */

/** What is counted. infra/constructs/alarm-list.ts watches these names. */
export type Counter =
  | 'OrdersCompleted'
  /** Paid too little or in another currency; a person must look. */
  | 'PaymentsUnderReview'
  /** Paid, and no seat left. */
  | 'RefundsDue'
  /** Signed by a gateway, but not understood. */
  | 'WebhooksUnknown'
  | 'OrdersExpired'
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
  /** Messages the sweep had to send because the first attempt failed. */
  | 'OutboxResent';

/** Adds `value` to a counter. */
export function count(name: Counter, value = 1): void {
  emit(name, value, 'Count', [[]], {});
}

/** What a minting account still has for gas, in whole coins of its chain (not wei). */
export function minterBalance(chainId: number, signer: string, coins: number): void {
  // The chain alone too: its alarm watches the poorest signer without knowing their addresses.
  emit('MinterBalance', coins, 'None', [['chain'], ['chain', 'signer']], { chain: String(chainId), signer });
}

function emit(
  name: string,
  value: number,
  unit: 'Count' | 'None',
  dimensionSets: string[][],
  dimensions: Record<string, string>,
): void {
  // Stages may share an account, so that each has its own namespace.
  const Namespace = optional('METRICS_NAMESPACE') ?? 'boxoffice';
  const directive = { Namespace, Dimensions: dimensionSets, Metrics: [{ Name: name, Unit: unit }] };
  writeLine({
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [directive] },
    ...dimensions,
    [name]: value,
  });
}
