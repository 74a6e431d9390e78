import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { production, type Resource } from './synthesized.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The dollars of a part in the table of monthly costs. */
function dollarsOf(part: string): number {
  const row = new RegExp(`^\\| ${part} \\| .* \\| (\\d+) \\|$`, 'm').exec(read('docs/operations.md'));
  return Number(row?.[1]);
}

const metricsOf = ({ properties }: Resource): number =>
  properties.Metrics?.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length ?? 1;

const countOf = (type: string) => production.ofType(type).length;

// A new route or two need no new figure.
describe('the monthly costs in docs/operations.md are right to a tenth', () => {
  const alarmMetrics = production
    .ofType('AWS::CloudWatch::Alarm')
    .reduce((sum, alarm) => sum + metricsOf(alarm), 0);
  const counters = [...read('shared/runtime/metrics.ts').matchAll(/^ {2}\| '\w+'/gm)].length;

  it.each([
    ['metrics of routes', 0.3 * 6 * countOf('AWS::ApiGatewayV2::Route')],
    ['alarms', 0.1 * alarmMetrics + 0.5 * countOf('AWS::CloudWatch::CompositeAlarm')],
    // With a balance with and without the account, and the requests that API Gateway throttles.
    ['custom metrics', 0.3 * (counters + 3)],
    ['dashboard', 3 * countOf('AWS::CloudWatch::Dashboard')],
  ])('%s', (part, dollars) => {
    expect(dollarsOf(part) / dollars).toBeGreaterThan(0.9);
    expect(dollarsOf(part) / dollars).toBeLessThan(1.1);
  });
});
