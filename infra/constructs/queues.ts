import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionRow, QueueName } from '../functions.ts';
import { deadLetterQueueName, failedSchedulesName, queueName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';

/** A queue, and the dead-letter queue for messages that failed five times. */
export interface QueuePair {
  queue: Queue;
  deadLetters: Queue;
}

const encrypted = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/**
 * The queues, one for each worker. They are standard queues, since workers are idempotent and don't depend on the order
 * of messages.
 */
export class Queues extends Construct {
  readonly pairs = new Map<QueueName, QueuePair>();
  /** Receives the events of scheduled calls that failed, or that Lambda could not start within a minute. */
  readonly failedSchedules: Queue;

  constructor(scope: Construct, stage: StageConfiguration, rows: readonly FunctionRow[]) {
    super(scope, 'Queues');
    this.failedSchedules = new Queue(this, 'failed-schedules', {
      ...encrypted,
      queueName: failedSchedulesName(stage.name),
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.failedSchedules).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'Nothing consumes the queue, so no message can fail',
    });
    for (const row of rows) {
      if ('queue' in row.trigger)
        this.pairs.set(row.trigger.queue, this.#create(row.trigger.queue, row, stage));
    }
  }

  /** @throws Error when no function consumes the queue */
  get(name: QueueName): Queue {
    const pair = this.pairs.get(name);
    if (!pair) throw new Error(`No function consumes the queue ${name}`);
    return pair.queue;
  }

  #create(name: QueueName, consumer: FunctionRow, stage: StageConfiguration): QueuePair {
    const deadLetters = new Queue(this, `${name}-dlq`, {
      ...encrypted,
      queueName: deadLetterQueueName(stage.name, name),
      retentionPeriod: Duration.days(14),
    });
    const queue = new Queue(this, name, {
      ...encrypted,
      queueName: queueName(stage.name, name),
      // Six times the timeout, as Lambda's documentation recommends, so that Lambda can retry throttled calls before
      // the message becomes visible again.
      visibilityTimeout: Duration.seconds(6 * consumer.timeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });
    return { queue, deadLetters };
  }
}
