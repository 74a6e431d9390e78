import { mintTickets } from '../../shared/nft/minting/mint-tickets.ts';
import { batchWorker } from '../../shared/runtime/function.ts';

/** Processes the whole batch at once, since one transaction mints several orders on a contract. */
export const handler = batchWorker(
  {
    queue: 'mint-tickets',
    batchSize: 40,
    batchSeconds: 1,
    maxConcurrency: 5,
    table: ['GetItem', 'BatchGetItem', 'BatchWriteItem', 'Query', 'PutItem', 'UpdateItem'],
    sends: ['mint-tickets', 'deliver-webhooks'],
    secrets: ['MINTER_PRIVATE_KEY'],
    settings: [
      'RETENTION_DAYS',
      'TICKET_CONTRACTS',
      'STAGE',
      'MINT_BUMP_SECONDS',
      'MINT_CHECK_SECONDS',
      'CHAIN_GAS_RATIOS',
      'MINTER_KMS_KEYS',
    ],
    chains: true,
    timeoutSeconds: 60,
  },
  mintTickets,
);
