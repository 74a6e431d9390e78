import type { FunctionRow } from '../functions.ts';
import type { StageConfiguration } from '../stages.ts';

/** Whether payment providers call this trigger, and not buyers. */
export function isWebhook(trigger: FunctionRow['trigger']): trigger is { route: `POST /${string}` } {
  return 'route' in trigger && trigger.route.startsWith('POST /api/webhooks/');
}

/** Buyers can use up the account's concurrency. What is reserved stays free for webhooks and workers. */
export function reservedConcurrency({ trigger }: FunctionRow, { webhookConcurrency }: StageConfiguration) {
  if (webhookConcurrency === undefined) return undefined;
  if ('queue' in trigger) return trigger.maxConcurrency;
  return isWebhook(trigger) ? webhookConcurrency : undefined;
}
