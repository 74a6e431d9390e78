import { handleWebhookMessage } from '../../shared/messaging/webhooks/deliver.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'deliver-webhooks',
    // The messages of a batch are sent concurrently, each within ten seconds.
    batchSize: 5,
    batchSeconds: 0,
    maxConcurrency: 20,
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    // It connects to addresses that organizers choose, so it may do nothing else.
    tablePrefixes: ['WEBHOOK#'],
    sends: ['deliver-webhooks'],
    settings: ['WEBHOOK_PAUSE_FACTOR', 'WEBHOOK_TIMEOUT_SECONDS', 'WEBHOOKS_TO_LOOPBACK'],
    timeoutSeconds: 30,
  },
  handleWebhookMessage,
);
