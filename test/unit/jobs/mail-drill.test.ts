import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { type MailRate, mailRate } from '../../../infra/mail-rate.ts';
import { stageDefaults } from '../../../infra/stages.ts';

/*
 * 25,000 buyers get their tickets at once, and somebody asks for a link every five seconds: a model of the queues, the
 * workers and SES's quota in simulated time, with the concurrency and the pace that a production stage deploys.
 */

const stage = stageDefaults.production;
const ticketMails = 25_000;
/** What a worker takes for a mail: to lease it, compose it, send it and mark it, in milliseconds. */
const sendingMilliseconds = 250;
const linkEveryMilliseconds = 5_000;

interface WorkerPool extends MailRate {
  /** Returns the next message that has arrived. */
  take(now: number): { arrivedAt: number; isLink: boolean } | undefined;
}

/** SES's limit: as many mails a second as the quota, with a burst of one second's mails. */
class SendingQuota {
  #tokens: number;
  #at = 0;
  readonly #perSecond: number;
  constructor(perSecond: number) {
    this.#tokens = perSecond;
    this.#perSecond = perSecond;
  }
  accepts(now: number): boolean {
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** Runs the pools until all tickets and a link are sent. @returns the longest wait of a link, and the mails that SES throttled */
function drill(pools: readonly WorkerPool[]) {
  const quota = new SendingQuota(stage.mailsPerSecond);
  const workers = pools.flatMap((pool) =>
    Array.from({ length: pool.concurrency }, () => ({ pool, freeAt: 0 })),
  );
  let [sentTickets, throttled, longestLinkWait, endedAt] = [0, 0, 0, 0];
  while (sentTickets < ticketMails || longestLinkWait === 0) {
    const worker = workers.reduce((first, other) => (other.freeAt < first.freeAt ? other : first));
    const now = worker.freeAt;
    const mail = worker.pool.take(now);
    if (!mail) {
      worker.freeAt = now + 100;
      continue;
    }
    if (!quota.accepts(now)) throttled++;
    worker.freeAt = now + Math.max(sendingMilliseconds, worker.pool.paceMilliseconds);
    endedAt = now + sendingMilliseconds;
    if (mail.isLink) longestLinkWait = Math.max(longestLinkWait, endedAt - mail.arrivedAt);
    else sentTickets++;
  }
  return { longestLinkWait: longestLinkWait / 1_000, throttled, minutes: endedAt / 60_000 };
}

function createQueues() {
  let remaining = ticketMails;
  let nextLinkAt = 0;
  const takeTicket = () => (remaining-- > 0 ? { arrivedAt: 0, isLink: false } : undefined);
  const takeLink = (now: number) => {
    if (nextLinkAt > now) return undefined;
    nextLinkAt += linkEveryMilliseconds;
    return { arrivedAt: nextLinkAt - linkEveryMilliseconds, isLink: true };
  };
  return { takeTicket, takeLink };
}

const rateOf = (entry: string): MailRate => {
  const row = functions.find((candidate) => candidate.entry === entry);
  const rate = row && mailRate(row, stage);
  if (!rate) throw new Error(`${entry} sends no mail`);
  return rate;
};

describe('25,000 ticket mails', () => {
  it('delay no link by more than a minute, within SES’s quota', () => {
    const { takeTicket, takeLink } = createQueues();
    const result = drill([
      { ...rateOf('workers/send-mail'), take: takeTicket },
      { ...rateOf('workers/send-links'), take: takeLink },
    ]);
    expect(result.longestLinkWait).toBeLessThan(60);
    expect(result.throttled).toBe(0);
    expect(result.minutes).toBeLessThan(40);
  });

  it('in one queue with the links delay them by half an hour', () => {
    const { takeTicket, takeLink } = createQueues();
    const take = (now: number) => takeTicket() ?? takeLink(now);
    const pool = { ...rateOf('workers/send-mail'), take };
    expect(drill([pool]).longestLinkWait).toBeGreaterThan(30 * 60);
  });
});
