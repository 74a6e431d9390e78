import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMailbox } from '../../../infra/local/services/aws.ts';
import { type Child, startChild } from '../../../infra/local/services/process.ts';
import { dueAttributes, keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { sweep } from '../../../shared/jobs/sweep/sweep-due.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Call, type Fault, type FaultProxy, startProxy } from '../../support/fault-proxy.ts';
import type { ReceivedMail } from '../../support/mailbox.ts';
import { insertPaidOrders } from '../../support/shop.ts';
import { skewClock } from './skew-clock.ts';

/** The queues that the worker process reads. */
export type WorkerQueue = 'fulfil-orders' | 'send-mail';

/**
 * A table, queues, a mailbox, and a worker process that fulfils orders and sends mails. The worker reaches the table,
 * the queues and the mail service through a fault proxy.
 */
export class World {
  readonly #backend: Backend;
  readonly #proxy: FaultProxy;
  readonly #mailbox: Child & { url: string };
  readonly #directory: string;
  #minutes = 0;
  #worker: Child | undefined;

  private constructor(
    backend: Backend,
    proxy: FaultProxy,
    mailbox: Child & { url: string },
    directory: string,
  ) {
    this.#backend = backend;
    this.#proxy = proxy;
    this.#mailbox = mailbox;
    this.#directory = directory;
  }

  static async start(): Promise<World> {
    const backend = await startBackend();
    const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-outbox-'));
    const mailbox = await startMailbox(path.join(directory, 'mailbox.log'));
    process.env.MAIL_FROM = 'tickets@boxoffice.test';
    const proxy = await startProxy({
      table: backend.dynamodbUrl,
      queue: new URL(backend.queueUrls['send-mail'] ?? '').origin,
      mail: `${mailbox.url}/v2/email/outbound-emails`,
    });
    return new World(backend, proxy, mailbox, directory);
  }

  async stop(): Promise<void> {
    await this.#worker?.kill();
    await this.#proxy.stop();
    await this.#mailbox.stop();
    await this.#backend.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Creates a paid order that is not fulfilled yet. Its buyer's e-mail address is unique. */
  async createPaidOrder(): Promise<Order> {
    const { orders, userId } = await insertPaidOrders(1);
    const customerEmail = `${userId}@example.com`;
    const [order] = orders as [Order];
    await write(
      update(keys.order(order.id), { set: { customerEmail, ...dueAttributes(order.id, Date.now()) } }),
    );
    return { ...order, customerEmail };
  }

  /** Advances the clock of this process and of the workers started later. */
  advanceClock(minutes: number): void {
    this.#minutes += minutes;
    skewClock(this.#minutes * 60_000);
  }

  /** Queues all due work, as the schedule does each minute. */
  async sweep(): Promise<void> {
    await sweep(Date.now() + 30_000);
  }

  /** Runs a worker until its queues are empty or it is killed. @returns its requests */
  async runWorker(
    queues: readonly WorkerQueue[] = ['fulfil-orders', 'send-mail'],
    fault?: Fault,
  ): Promise<Call[]> {
    const name = queues.join('-');
    const calls: Call[] = [];
    const removeInterceptors = [
      this.#proxy.intercept((call, forward) => {
        calls.push(call);
        return forward();
      }),
      ...(fault ? [this.#proxy.intercept(fault)] : []),
    ];
    this.#worker = startChild([process.execPath, path.join(import.meta.dirname, 'worker.ts')], {
      log: path.join(this.#directory, 'worker.log'),
      env: this.#environment(name, queues),
    });
    await this.#worker.ended;
    for (const remove of removeInterceptors) remove();
    return calls;
  }

  /** Kills the running worker. */
  killWorker(): void {
    void this.#worker?.kill();
  }

  async readMailsTo(address: string): Promise<ReceivedMail[]> {
    return (await this.readMails()).filter(({ destination }) => destination.to.includes(address));
  }

  async readMails(): Promise<ReceivedMail[]> {
    const { emails } = (await (await fetch(`${this.#mailbox.url}/store`)).json()) as {
      emails: ReceivedMail[];
    };
    return emails;
  }

  #environment(name: string, queues: readonly WorkerQueue[]): NodeJS.ProcessEnv {
    const { queueUrls } = this.#backend;
    const throughProxy = (url = '') => url.replace(new URL(url).origin, this.#proxy.url(name, 'queue'));
    return {
      ...process.env,
      // Nearly every step starts a process, which would spend most of its time compiling.
      NODE_COMPILE_CACHE: path.join(this.#directory, 'compiled'),
      CLOCK_SKEW: String(this.#minutes * 60_000),
      QUEUES: JSON.stringify(queues.map((queue) => [queue, queueUrls[queue]])),
      AWS_ENDPOINT_URL_DYNAMODB: this.#proxy.url(name, 'table'),
      AWS_ENDPOINT_URL_SESV2: this.#proxy.url(name, 'mail'),
      AWS_ENDPOINT_URL_SQS: this.#proxy.url(name, 'queue'),
      MINT_TICKETS_QUEUE_URL: throughProxy(queueUrls['mint-tickets']),
      SEND_MAIL_QUEUE_URL: throughProxy(queueUrls['send-mail']),
      CHECK_IN_SECRET: 'only-for-tests-check-in-0123456789abcdef',
      PUBLIC_URL: 'https://tickets.boxoffice.test',
    };
  }
}
