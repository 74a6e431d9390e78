import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

/**
 * A Lambda handler for a queue whose messages are worked on together.
 * @param takeAll says which messages, by their place, are to be delivered again
 */
export function batchWorker<Message>(takeAll: (messages: Message[]) => Promise<number[]>) {
  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const failed = await takeAll(Records.map(({ body }) => JSON.parse(body)));
    return {
      batchItemFailures: failed.map((place) => ({ itemIdentifier: Records[place]?.messageId ?? '' })),
    };
  };
}
