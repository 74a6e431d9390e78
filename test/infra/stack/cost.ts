import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { production, type Resource } from './synthesized.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Reads a row of the table of monthly costs in docs/operations.md. */
function readDollars(part: string): number {
  const row = new RegExp(`^\\| ${part} \\| .* \\| (\\d+) \\|$`, 'm').exec(read('docs/operations.md'));
  return Number(row?.[1]);
}

const metricDollars = 0.3;
/** The detailed metrics that API Gateway records for each route. */
const metricsPerRoute = 6;

const countMetrics = ({ properties }: Resource): number =>
  properties.Metrics?.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length ?? 1;

const countResources = (type: string) => production.ofType(type).length;

// The tolerance of a tenth lets a few routes be added before docs/operations.md must be updated.
describe('the monthly costs in docs/operations.md differ from the template by less than a tenth', () => {
  const alarmMetrics = production
    .ofType('AWS::CloudWatch::Alarm')
    .reduce((sum, alarm) => sum + countMetrics(alarm), 0);
  const counters = [...read('shared/runtime/metrics.ts').matchAll(/^ {2}\| '\w+'/gm)].length;

  it.each([
    ['metrics of routes', metricDollars * metricsPerRoute * countResources('AWS::ApiGatewayV2::Route')],
    ['alarms', 0.1 * alarmMetrics + 0.5 * countResources('AWS::CloudWatch::CompositeAlarm')],
    // Three more: the minting balance by chain, the same by account, and the requests that API Gateway throttles.
    ['custom metrics', metricDollars * (counters + 3)],
    ['dashboard', 3 * countResources('AWS::CloudWatch::Dashboard')],
  ])('%s', (part, dollars) => {
    expect(readDollars(part) / dollars).toBeGreaterThan(0.9);
    expect(readDollars(part) / dollars).toBeLessThan(1.1);
  });
});
