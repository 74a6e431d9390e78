import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { isWebhook } from '../rows.ts';
import type { Watched } from './alarm-list.ts';
import { apiMetric, percentage } from './metrics.ts';

/** A promise about requests, kept over 30 days; what it leaves is the error budget. */
export interface Objective {
  name: string;
  description: string;
  /** Of a hundred requests, how many may fail. */
  budgetPercent: number;
  /** How many of a hundred requests failed in a window. */
  failing: (window: Duration) => IMetric;
}

/**
 * How fast the budget burns before an alarm fires: in both windows, so that it fires soon and ends soon. The windows
 * and factors are those of the Site Reliability Workbook, chapter 5 (https://sre.google/workbook/alerting-on-slos/):
 * two per cent of the budget in an hour, five per cent in six hours.
 */
export const burnRates = [
  { suffix: 'fast', factor: 14.4, windows: [Duration.minutes(5), Duration.hours(1)] },
  { suffix: 'slow', factor: 6, windows: [Duration.minutes(30), Duration.hours(6)] },
] as const;

export function objectives({ apiId, rows }: Watched): Objective[] {
  const routes = rows.flatMap(({ trigger }) => (isWebhook(trigger) ? [trigger.route] : []));
  const ofWebhooks = (name: 'Count' | '5xx') => routes.map((route) => apiMetric(apiId, name, route));
  return [
    {
      name: 'api-errors',
      description: '99.9 % of requests are answered without a server error.',
      budgetPercent: 0.1,
      failing: (period) =>
        percentage([apiMetric(apiId, '5xx')], [apiMetric(apiId, 'Count')], { atLeast: 5, period }),
    },
    {
      name: 'webhook-errors',
      description: '99.95 % of webhooks are answered without a server error.',
      budgetPercent: 0.05,
      failing: (period) => percentage(ofWebhooks('5xx'), ofWebhooks('Count'), { atLeast: 3, period }),
    },
  ];
}
