import { mintTickets } from '../../shared/minting/mint-tickets.ts';
import { batchWorker } from '../../shared/workers/batch-worker.ts';

/** The whole batch at once, since orders of one contract share a transaction. */
export const handler = batchWorker(mintTickets);
