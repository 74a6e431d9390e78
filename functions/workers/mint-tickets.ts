import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { mintTickets } from '../../shared/minting/mint-tickets.ts';

/** The whole batch at once, since orders of one contract share a transaction. */
export const handler = async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
  const failed = await mintTickets(Records.map(({ body }) => JSON.parse(body)));
  return { batchItemFailures: failed.map((place) => ({ itemIdentifier: Records[place]?.messageId ?? '' })) };
};
