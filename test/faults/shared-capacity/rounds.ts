import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse } from 'aws-lambda';
import { handler as fulfilOrders } from '../../../functions/workers/fulfil-orders.ts';
import { handler as mintTickets } from '../../../functions/workers/mint-tickets.ts';
import { handler as runEventJobs } from '../../../functions/workers/run-event-jobs.ts';
import { handler as sendMoney } from '../../../functions/workers/send-money.ts';
import { handler as settleOrders } from '../../../functions/workers/settle-orders.ts';
import type { QueueName } from '../../../infra/functions.ts';
import { sweep } from '../../../shared/jobs/sweep/sweep-due.ts';
import { queueUrlVariable } from '../../../shared/runtime/config.ts';
import type { Backend } from '../../support/backend.ts';

// biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
type Handler = (event: any) => Promise<SQSBatchResponse>;

/** The workers of each queue, in the order in which work passes from one to the next. */
const handlers: Record<string, Handler> = {
  'run-event-jobs': runEventJobs,
  'settle-orders': settleOrders,
  'fulfil-orders': fulfilOrders,
  'mint-tickets': mintTickets,
  'send-money': sendMoney,
};

/** The maximum number of messages that a queue's workers process in a round. A hostile tenant queues more. */
export const capacity: Record<string, number> = {
  'run-event-jobs': 2,
  'settle-orders': 20,
  'fulfil-orders': 20,
  'mint-tickets': 40,
  'send-money': 10,
};

/** Deliveries after which SQS moves a message to the dead-letter queue. */
const maximumDeliveries = 5;

/** A message in its queue. */
export interface QueuedMessage {
  queue: string;
  id: string;
  body: string;
  /** The MessageGroupId. Each message without one counts as a separate tenant. */
  group: string;
  deliveries: number;
}

/** The messages of one round. */
export interface Round {
  /** All messages in the queues when their workers started. */
  queued: QueuedMessage[];
  /** The messages that the workers received. */
  received: QueuedMessage[];
  /** The messages that were moved to the dead-letter queue. */
  deadLetters: QueuedMessage[];
}

/**
 * Runs the sweep and the workers in rounds of a minute. The queues are real, but this class chooses the order of
 * delivery: the tenants of a queue take turns, as in SQS's fair queues.
 */
export class Rounds {
  readonly #queueUrls: Record<string, string | undefined>;
  readonly #client: SQSClient;
  #backlog: QueuedMessage[] = [];

  private constructor(client: SQSClient, queueUrls: Record<string, string | undefined>) {
    this.#client = client;
    this.#queueUrls = queueUrls;
  }

  /**
   * Creates queues and makes the functions use them. Each history (a run of all rounds) has its own queues, since those
   * of an earlier history may still deliver delayed messages.
   */
  static async withNewQueues({ queueUrls }: Backend, name: string): Promise<Rounds> {
    const client = new SQSClient({ endpoint: new URL(queueUrls['settle-orders'] as string).origin });
    const created: Record<string, string | undefined> = {};
    for (const queue of [...Object.keys(handlers), 'send-mail'] as QueueName[]) {
      const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: `${name}-${queue}` }));
      created[queue] = QueueUrl;
      process.env[queueUrlVariable(queue)] = QueueUrl;
    }
    return new Rounds(client, created);
  }

  async runRound(): Promise<Round> {
    const round: Round = { queued: [], received: [], deadLetters: [] };
    const sweepDeadline = Date.now() + 50_000;
    await sweep(sweepDeadline);
    for (const queue of Object.keys(handlers)) await this.#processQueue(queue, round);
    return round;
  }

  async #processQueue(queue: string, round: Round): Promise<void> {
    await this.#receive(queue);
    const queued = this.#backlog.filter((message) => message.queue === queue);
    const received = alternateGroups(queued).slice(0, capacity[queue]);
    this.#backlog = this.#backlog.filter((message) => !received.includes(message));
    round.queued.push(...queued);
    round.received.push(...received);
    if (received.length === 0) return;
    const Records = received.map(({ id, body, deliveries }) => ({
      messageId: id,
      body,
      attributes: { ApproximateReceiveCount: String(deliveries + 1) },
    }));
    const { batchItemFailures } = await (handlers[queue] as Handler)({ Records });
    for (const { itemIdentifier } of batchItemFailures) {
      const failed = received.find(({ id }) => id === itemIdentifier) as QueuedMessage;
      const retried = { ...failed, deliveries: failed.deliveries + 1 };
      if (retried.deliveries < maximumDeliveries) this.#backlog.push(retried);
      else round.deadLetters.push(retried);
    }
  }

  async #receive(queue: string): Promise<void> {
    const QueueUrl = this.#queueUrls[queue];
    for (;;) {
      const { Messages = [] } = await this.#client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, AttributeNames: ['All'] }),
      );
      if (Messages.length === 0) return;
      const Entries = Messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
      await this.#client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      this.#backlog.push(...Messages.map((message) => toQueuedMessage(queue, message)));
    }
  }
}

function toQueuedMessage(
  queue: string,
  { MessageId: id = '', Body: body = '', Attributes }: Message,
): QueuedMessage {
  return { queue, id, body, group: Attributes?.MessageGroupId ?? id, deliveries: 0 };
}

/** Orders messages so that the groups take turns. */
function alternateGroups(messages: readonly QueuedMessage[]): QueuedMessage[] {
  const groups = [...Map.groupBy(messages, ({ group }) => group).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group[turn] ?? [])).flat();
}
