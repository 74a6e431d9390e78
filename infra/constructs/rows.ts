import { Duration } from 'aws-cdk-lib';
import type { FunctionRow } from '../functions.ts';

/** The longest that one call of a row's function may take. */
export const timeoutOf = (row: FunctionRow) => Duration.seconds(row.timeoutSeconds ?? 10);

/** Whether payment providers call this trigger, and not buyers. */
export function isWebhook(trigger: FunctionRow['trigger']): trigger is { route: `POST /${string}` } {
  return 'route' in trigger && trigger.route.startsWith('POST /api/webhooks/');
}
