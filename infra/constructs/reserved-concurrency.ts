import type { FunctionRow } from '../functions.ts';
import type { StageConfiguration } from '../stages.ts';

/** Returns whether a trigger is a webhook route, which payment providers call. */
export function isWebhook(trigger: FunctionRow['trigger']): trigger is { route: `POST /${string}` } {
  return 'route' in trigger && trigger.route.startsWith('POST /api/webhooks/');
}

/**
 * Returns a function's reserved concurrency. On a stage with `webhookConcurrency`, webhooks and workers have one, so that
 * they can run when buyers use up the account's concurrency.
 */
export function reservedConcurrency({ trigger }: FunctionRow, { webhookConcurrency }: StageConfiguration) {
  if (webhookConcurrency === undefined) return undefined;
  if ('queue' in trigger) return trigger.maxConcurrency;
  return isWebhook(trigger) ? webhookConcurrency : undefined;
}
