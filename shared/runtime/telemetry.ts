import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { optionalSetting } from './config.ts';

/**
 * Ids and counts. Never pass tokens, e-mails, names or payment details: more people can read the log than the table.
 */
type Fields = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Writes one JSON line per entry, with sensitive fields and texts redacted. */
const logger = new Logger({ serviceName: 'boxoffice', jsonReplacerFn: redact });

export const log = {
  info: (message: string, fields: Fields = {}) => logger.info(message, fields),
  warn: (message: string, fields: Fields = {}) => logger.warn(message, fields),
  /** Logs the name, message and stack of `cause`. They are never part of a response. */
  error: (message: string, cause: unknown, fields: Fields = {}) =>
    logger.error(message, {
      ...fields,
      cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
      stack: cause instanceof Error ? cause.stack : undefined,
    }),
};

const redactedText = '[redacted]';

/** Names of fields that always contain a secret or personal data. Fields such as `tokenId` stay readable. */
const sensitiveKey =
  /(?:authorization|cookie|password|secret|token|e-?mail|private_?key|api_?key|account_?number|account_?name|^name)s?$/i;

const sensitiveText: readonly [RegExp, string][] = [
  // RPC endpoints contain their key in the path, and ethers quotes the whole address in its errors.
  [/(https?:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']+)[/?#][^\s"']*/gi, '$1$2/…'],
  [/\bBearer\s+[^\s"']+/gi, `Bearer ${redactedText}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, redactedText],
  // A payment's reference gives access to the payment at its provider. The order's id suffices for tracing.
  [/\bBOX-[A-Z0-9]{1,6}-\d{13}-[A-Z0-9]{8}\b/g, redactedText],
  [/[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}/gi, redactedText],
];

/**
 * Redacts fields that callers pass by mistake, and secrets in the messages of libraries' errors. Powertools calls it
 * for every property of an entry, at any depth; numbers and booleans pass.
 */
function redact(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (sensitiveKey.test(key)) return redactedText;
  let text = value;
  for (const [pattern, replacement] of sensitiveText) text = text.replace(pattern, replacement);
  return text;
}

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

/**
 * Segments of X-Ray traces for calls of other services, on stages with `traceCalls`. They are sent as datagrams to the
 * X-Ray daemon, which Lambda runs beside each function:
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-api-sendingdata.html
 * Powertools' tracer would patch the SDK and fetch, and add 400 KB to each function, also on stages without tracing.
 */

let socket: Socket | undefined;

/**
 * Runs a call, and reports its duration as a segment of the current trace.
 * @param name the called service: a host, or `dynamodb`
 * @param operation shown with the segment; it must contain no personal data
 */
export async function traceCall<Result>(
  name: string,
  operation: string,
  call: () => Promise<Result>,
): Promise<Result> {
  const trace = optionalSetting('TRACE_CALLS') === 'true' && readTrace();
  if (!trace) return call();
  const startedAt = Date.now();
  let isFault = true;
  try {
    const result = await call();
    isFault = false;
    return result;
  } finally {
    report({
      ...trace,
      id: randomBytes(8).toString('hex'),
      type: 'subsegment',
      name,
      namespace: 'remote',
      start_time: startedAt / 1_000,
      end_time: Date.now() / 1_000,
      fault: isFault,
      annotations: { operation },
    });
  }
}

/** Returns the sampled trace of the current invocation. Lambda sets the variable for each. */
function readTrace(): { trace_id: string; parent_id: string } | undefined {
  const header = process.env._X_AMZN_TRACE_ID ?? '';
  const [, trace_id] = /Root=([^;]+)/.exec(header) ?? [];
  const [, parent_id] = /Parent=([^;]+)/.exec(header) ?? [];
  return trace_id && parent_id && header.includes('Sampled=1') ? { trace_id, parent_id } : undefined;
}

function report(segment: object): void {
  const [host, port] = (process.env.AWS_XRAY_DAEMON_ADDRESS ?? '').split(':');
  if (!host || !port) return;
  socket ??= createSocket('udp4').unref();
  const header = JSON.stringify({ format: 'json', version: 1 });
  // A lost datagram loses a segment, and nothing else.
  socket.send(`${header}\n${JSON.stringify(segment)}`, Number(port), host, () => undefined);
}
