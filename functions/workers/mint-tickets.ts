import { mintTickets } from '../../shared/nft/minting/mint-tickets.ts';
import { batchWorker } from '../../shared/runtime/worker.ts';

/** Processes the whole batch at once, since one transaction mints several orders on a contract. */
export const handler = batchWorker(mintTickets);
