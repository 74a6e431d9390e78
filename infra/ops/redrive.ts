import { parseArgs } from 'node:util';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { functions, type QueueName } from '../functions.ts';
import { deadLetterQueueName } from '../names.ts';
import { parseStageName, type StageName } from '../stages.ts';

const queues = functions.flatMap(({ trigger }) => ('queue' in trigger ? [trigger.queue] : []));
const client = new SQSClient({});

/** Counts the messages in each dead-letter queue. With --queue, moves those of one queue back to it. */
export async function redrive(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      stage: { type: 'string', default: 'dev' },
      queue: { type: 'string' },
      'per-second': { type: 'string', default: '10' },
    },
  });
  const stage = parseStageName(values.stage);
  if (values.queue === undefined) {
    for (const queue of queues) console.log(`${queue}: ${(await readDeadLetterQueue(stage, queue)).count}`);
  } else {
    await moveBack(stage, parseQueue(values.queue), parseRate(values['per-second']));
  }
}

/**
 * Moves dead letters back to their queue. This is harmless for work that is already done, since workers are idempotent.
 */
async function moveBack(stage: StageName, queue: QueueName, perSecond: number): Promise<void> {
  const { arn, count } = await readDeadLetterQueue(stage, queue);
  if (count === 0) {
    console.log(`The dead-letter queue of ${queue} is empty.`);
    return;
  }
  await client.send(
    new StartMessageMoveTaskCommand({ SourceArn: arn, MaxNumberOfMessagesPerSecond: perSecond }),
  );
  console.log(`Moving ${count} messages back to ${queue}, at most ${perSecond} a second.`);
}

async function readDeadLetterQueue(
  stage: StageName,
  queue: QueueName,
): Promise<{ arn: string; count: number }> {
  const { QueueUrl } = await client.send(
    new GetQueueUrlCommand({ QueueName: deadLetterQueueName(stage, queue) }),
  );
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'] }),
  );
  return { arn: Attributes?.QueueArn ?? '', count: Number(Attributes?.ApproximateNumberOfMessages) };
}

function parseQueue(name: string): QueueName {
  const queue = queues.find((candidate) => candidate === name);
  if (!queue) throw new Error(`There is no queue "${name}". Choose one of: ${queues.join(', ')}`);
  return queue;
}

function parseRate(text: string): number {
  const perSecond = Number(text);
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > 500) {
    throw new Error('--per-second must be a whole number from 1 to 500');
  }
  return perSecond;
}
