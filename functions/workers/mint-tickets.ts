import { batchWorker } from '../../shared/runtime/worker.ts';
import { mintTickets } from '../../shared/tickets/minting/mint-tickets.ts';

/** Processes the whole batch at once, since orders of one contract share a transaction. */
export const handler = batchWorker(mintTickets);
