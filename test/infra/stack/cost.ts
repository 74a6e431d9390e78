import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { production, type Resource } from './synthesized.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The row of a part in the table of monthly costs: its numbers, and its dollars. */
function row(part: string) {
  const [, text = '', dollars] =
    new RegExp(`^\\| ${part} \\| (.*) \\| (\\d+) \\|$`, 'm').exec(read('docs/operations.md')) ?? [];
  return { text, dollars: Number(dollars) };
}

const metricsOf = ({ properties }: Resource): number =>
  properties.Metrics?.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length ?? 1;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

describe('the monthly costs in docs/operations.md', () => {
  it('count the routes', () => {
    const routes = production.ofType('AWS::ApiGatewayV2::Route').length;
    const { text, dollars } = row('metrics of routes');
    expect(text).toContain(`, ${routes} routes;`);
    expect(dollars).toBe(Math.round(routes * 6 * 0.3));
  });

  it('count the alarms and their metrics', () => {
    const [canaries, others] = [true, false].map((isCanary) =>
      production.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => /Failing/.test(id) === isCanary),
    );
    const composites = production.ofType('AWS::CloudWatch::CompositeAlarm').length;
    const [ofCanaries, ofOthers] = [canaries, others].map((alarms = []) => sum(alarms.map(metricsOf)));
    const { text, dollars } = row('alarms');
    expect(text).toBe(
      `${others?.length} that page or make up one that does, with ${ofOthers} metrics; one for each function's canary, with ${ofCanaries}; ${composites} composite ones at 0.50 $`,
    );
    expect(dollars).toBe(Math.round(0.1 * sum([ofCanaries ?? 0, ofOthers ?? 0]) + 0.5 * composites));
  });

  it('count the own metrics and the secrets', () => {
    const counters = [...read('shared/runtime/metrics.ts').matchAll(/^ {2}\| '\w+'/gm)].length;
    // A balance with and without the account, and the requests that API Gateway throttles.
    const metrics = counters + 2 + 1;
    expect(row('own metrics').text).toContain(`, ${metrics} with one of each`);
    expect(row('own metrics').dollars).toBe(Math.round(metrics * 0.3));
    expect(row('secrets').text).toMatch(
      new RegExp(`^${production.ofType('AWS::SecretsManager::Secret').length} and`),
    );
  });
});
