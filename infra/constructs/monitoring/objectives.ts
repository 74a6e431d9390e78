import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { isWebhook } from '../reserved-concurrency.ts';
import type { MonitoredStage } from './alarm-list.ts';
import { apiMetric, percentage } from './metrics.ts';

/** A service level objective for requests over 30 days. The failures that it allows are the error budget. */
export interface Objective {
  name: string;
  description: string;
  /** The percentage of requests that may fail. */
  budgetPercent: number;
  /** The percentage of requests that failed in a window; 0 for too few failures to be significant. */
  failedPercent: (window: Duration) => IMetric;
}

/**
 * The burn rates above which alarms fire. Both a long and a short window must exceed the rate, so that an alarm ends
 * soon after the failures. The windows and factors are those of the Site Reliability Workbook, chapter 5
 * (https://sre.google/workbook/alerting-on-slos/): two per cent of the budget in an hour, five per cent in six hours.
 */
export const burnRates = [
  { suffix: 'fast', factor: 14.4, windows: [Duration.minutes(5), Duration.hours(1)] },
  { suffix: 'slow', factor: 6, windows: [Duration.minutes(30), Duration.hours(6)] },
] as const;

export function listObjectives({ apiId, rows }: MonitoredStage): Objective[] {
  const routes = rows.flatMap(({ trigger }) => (isWebhook(trigger) ? [trigger.route] : []));
  const webhookMetrics = (name: 'Count' | '5xx') => routes.map((route) => apiMetric(apiId, name, route));
  return [
    {
      name: 'api-errors',
      description: '99.9 % of requests are answered without a server error.',
      budgetPercent: 0.1,
      failedPercent: (period) =>
        percentage([apiMetric(apiId, '5xx')], [apiMetric(apiId, 'Count')], { atLeast: 5, period }),
    },
    {
      name: 'webhook-errors',
      description: '99.95 % of webhooks are answered without a server error.',
      budgetPercent: 0.05,
      failedPercent: (period) =>
        percentage(webhookMetrics('5xx'), webhookMetrics('Count'), { atLeast: 3, period }),
    },
  ];
}
