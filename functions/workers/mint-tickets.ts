import { batchWorker } from '../../shared/runtime/worker.ts';
import { mintTickets } from '../../shared/tickets/minting/mint-tickets.ts';

/** Processes the whole batch at once, since one transaction mints several orders on a contract. */
export const handler = batchWorker(mintTickets);
