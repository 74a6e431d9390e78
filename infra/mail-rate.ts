import type { FunctionRow, QueueName } from './functions.ts';

/** The parts of SES's quota. Links are few, and somebody waits for each. */
const shares: Partial<Record<QueueName, number>> = { 'send-mail': 0.8, 'send-links': 0.2 };

/** How long a worker takes to send a mail: to lease it, compose it, send it, and mark it as sent. */
const sendingSeconds = 0.3;
/** The minimum of an SQS trigger. */
const minimumConcurrency = 2;

export interface MailRate {
  concurrency: number;
  /** The time that a worker takes for a mail at least, so that all workers together stay within their part. */
  paceMilliseconds: number;
}

/**
 * Returns the concurrency and the pace of a worker that sends mail; undefined for other functions. The workers of a
 * stage together send at most `mailsPerSecond`, so that SES throttles none of them.
 */
export function mailRate(
  { trigger }: FunctionRow,
  { mailsPerSecond }: { mailsPerSecond: number },
): MailRate | undefined {
  const share = 'queue' in trigger ? shares[trigger.queue] : undefined;
  if (share === undefined) return undefined;
  const rate = share * mailsPerSecond;
  const concurrency = Math.max(minimumConcurrency, Math.ceil(rate * sendingSeconds));
  return { concurrency, paceMilliseconds: Math.ceil((1_000 * concurrency) / rate) };
}
