import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { deadLetterQueueName, queueName } from '../names.ts';
import type { StageName } from '../stages.ts';
import { consumers } from './consumers.ts';
import type { Emulator } from './emulator.ts';
import { listDifferences } from './list-differences.ts';

/** Lists how the stage's queues in the emulator differ from their configuration, one sentence each. */
export async function listQueueDifferences(emulator: Emulator, stage: StageName): Promise<string[]> {
  const client = new SQSClient(emulator.client);
  const attributesOf = async (QueueName: string) => {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    return Attributes ?? {};
  };
  const differences = consumers.map(async ({ queue, row }) => {
    const attributes = await attributesOf(queueName(stage, queue));
    const deadLetters = await attributesOf(deadLetterQueueName(stage, queue));
    const redrivePolicy = JSON.parse(attributes.RedrivePolicy ?? '{}');
    return listDifferences(
      {
        visibility: `${6 * row.timeoutSeconds}`,
        encrypted: ['true', 'true'],
        maxReceiveCount: 5,
        deadLetters: deadLetters.QueueArn,
      },
      {
        visibility: attributes.VisibilityTimeout,
        encrypted: [attributes.SqsManagedSseEnabled, deadLetters.SqsManagedSseEnabled],
        maxReceiveCount: Number(redrivePolicy.maxReceiveCount),
        deadLetters: redrivePolicy.deadLetterTargetArn,
      },
      queue,
    );
  });
  return (await Promise.all(differences)).flat();
}
